CREATE TABLE account (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    disabled_at BIGINT,
    CONSTRAINT pk_account PRIMARY KEY (tenant, id),
    CONSTRAINT uq_account_tenant_name UNIQUE (tenant, name)
);

CREATE TABLE blob (
    sha256 TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_us BIGINT NOT NULL,
    CONSTRAINT pk_blob PRIMARY KEY (sha256)
);

CREATE TABLE blob_part (
    sha256 TEXT NOT NULL,
    ord INTEGER NOT NULL,
    data BLOB NOT NULL,
    CONSTRAINT pk_blob_part PRIMARY KEY (sha256, ord)
);

CREATE TABLE chunk (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    number BIGINT NOT NULL,
    kb TEXT NOT NULL,
    document TEXT,
    fact TEXT,
    ord INTEGER NOT NULL,
    title TEXT NOT NULL,
    context TEXT DEFAULT '' NOT NULL,
    text TEXT NOT NULL,
    page INTEGER,
    section TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    category TEXT,
    media_type TEXT,
    created_at BIGINT NOT NULL,
    embedding TEXT,
    CONSTRAINT pk_chunk PRIMARY KEY (tenant, id),
    CONSTRAINT uq_chunk_number UNIQUE (number)
);

CREATE INDEX chunk_document ON chunk (tenant, document, ord);

CREATE INDEX chunk_fact ON chunk (tenant, fact);

CREATE INDEX chunk_waiting ON chunk (tenant, kb, embedding, number);

CREATE TABLE conversation (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    title TEXT DEFAULT '' NOT NULL,
    profile TEXT,
    private BOOLEAN DEFAULT 0 NOT NULL,
    session TEXT,
    run TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT pk_conversation PRIMARY KEY (tenant, id),
    CONSTRAINT uq_conversation_tenant_owner_session UNIQUE (tenant, owner, session)
);

CREATE INDEX conversation_recent ON conversation (tenant, owner, updated_at);

CREATE TABLE conversation_message (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    conversation TEXT NOT NULL,
    ord INTEGER NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    run TEXT,
    status TEXT,
    truncated BOOLEAN DEFAULT 0 NOT NULL,
    sources TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT pk_conversation_message PRIMARY KEY (tenant, id),
    CONSTRAINT uq_conversation_message_tenant_conversation_ord UNIQUE (tenant, conversation, ord)
);

CREATE TABLE counter (
    name TEXT NOT NULL,
    value BIGINT NOT NULL,
    CONSTRAINT pk_counter PRIMARY KEY (name)
);

CREATE TABLE credential (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    CONSTRAINT pk_credential PRIMARY KEY (tenant, id),
    CONSTRAINT uq_credential_sha256 UNIQUE (sha256)
);

CREATE INDEX credential_account ON credential (tenant, account);

CREATE TABLE document (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    kb TEXT NOT NULL,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    status TEXT NOT NULL,
    error_code TEXT,
    error TEXT,
    pages INTEGER,
    chunk_count INTEGER DEFAULT '0' NOT NULL,
    vectors TEXT DEFAULT 'pending' NOT NULL,
    warnings TEXT NOT NULL,
    language TEXT,
    revision INTEGER NOT NULL,
    indexed_revision INTEGER,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT pk_document PRIMARY KEY (tenant, id),
    CONSTRAINT uq_document_tenant_kb_path UNIQUE (tenant, kb, path),
    CONSTRAINT uq_document_tenant_kb_sha256 UNIQUE (tenant, kb, sha256)
);

CREATE TABLE document_revision (
    tenant TEXT NOT NULL,
    document TEXT NOT NULL,
    revision INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    size BIGINT NOT NULL,
    media_type TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    text TEXT,
    structure TEXT,
    CONSTRAINT pk_document_revision PRIMARY KEY (tenant, document, revision)
);

CREATE INDEX document_revision_blob ON document_revision (sha256);

CREATE TABLE fact (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    kb TEXT NOT NULL,
    text TEXT NOT NULL,
    category TEXT,
    tags TEXT NOT NULL,
    sensitive BOOLEAN DEFAULT 0 NOT NULL,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT pk_fact PRIMARY KEY (tenant, id)
);

CREATE INDEX fact_kb ON fact (tenant, kb, created_at);

CREATE TABLE feedback (
    tenant TEXT NOT NULL,
    message TEXT NOT NULL,
    account TEXT NOT NULL,
    rating INTEGER NOT NULL,
    comment TEXT DEFAULT '' NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT pk_feedback PRIMARY KEY (tenant, message, account)
);

CREATE TABLE index_block (
    tenant TEXT NOT NULL,
    segment BIGINT NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,
    CONSTRAINT pk_index_block PRIMARY KEY (tenant, segment, block)
);

CREATE TABLE index_segment (
    tenant TEXT NOT NULL,
    kind TEXT NOT NULL,
    id BIGINT NOT NULL,
    rows INTEGER NOT NULL,
    gone BLOB,
    CONSTRAINT pk_index_segment PRIMARY KEY (tenant, kind, id)
);

CREATE TABLE index_word (
    tenant TEXT NOT NULL,
    hash BIGINT NOT NULL,
    word TEXT NOT NULL,
    reversed TEXT NOT NULL,
    CONSTRAINT pk_index_word PRIMARY KEY (tenant, hash)
);

CREATE INDEX ix_index_word_tenant_reversed ON index_word (tenant, reversed);

CREATE INDEX ix_index_word_tenant_word ON index_word (tenant, word);

CREATE TABLE job (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    "key" TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT DEFAULT 'queued' NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    max_attempts INTEGER NOT NULL,
    run_at_us BIGINT NOT NULL,
    owner TEXT,
    epoch BIGINT DEFAULT '0' NOT NULL,
    error TEXT,
    created_us BIGINT NOT NULL,
    finished_us BIGINT,
    CONSTRAINT pk_job PRIMARY KEY (tenant, id)
);

CREATE INDEX job_key ON job (tenant, kind, "key", created_us);

CREATE INDEX job_owned ON job (owner) WHERE state = 'running';

CREATE INDEX job_queued ON job (run_at_us) WHERE state = 'queued';

CREATE UNIQUE INDEX job_waiting ON job (tenant, kind, "key") WHERE state = 'queued';

CREATE TABLE knowledge_base (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT DEFAULT '' NOT NULL,
    scope TEXT DEFAULT 'personal' NOT NULL,
    sensitivity TEXT DEFAULT 'normal' NOT NULL,
    neutralize BOOLEAN DEFAULT 0 NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CONSTRAINT pk_knowledge_base PRIMARY KEY (tenant, id),
    CONSTRAINT uq_knowledge_base_tenant_owner_name UNIQUE (tenant, owner, name)
);

CREATE TABLE run (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    user TEXT NOT NULL,
    role TEXT NOT NULL,
    scopes TEXT NOT NULL,
    conversation TEXT,
    request TEXT NOT NULL,
    status TEXT DEFAULT 'queued' NOT NULL,
    owner TEXT,
    epoch BIGINT DEFAULT '0' NOT NULL,
    next_seq BIGINT DEFAULT '1' NOT NULL,
    interruptions INTEGER DEFAULT '0' NOT NULL,
    stop_requested BOOLEAN DEFAULT 0 NOT NULL,
    created_us BIGINT NOT NULL,
    started_us BIGINT,
    finished_us BIGINT,
    CONSTRAINT pk_run PRIMARY KEY (tenant, id)
);

CREATE UNIQUE INDEX run_going ON run (tenant, conversation) WHERE conversation IS NOT NULL AND finished_us IS NULL;

CREATE INDEX run_owned ON run (owner) WHERE owner IS NOT NULL;

CREATE INDEX run_queued ON run (created_us) WHERE status = 'queued';

CREATE INDEX run_recent ON run (tenant, user, created_us);

CREATE TABLE run_artifact (
    tenant TEXT NOT NULL,
    run TEXT NOT NULL,
    id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    data BLOB,
    sha256 TEXT,
    created_us BIGINT NOT NULL,
    CONSTRAINT pk_run_artifact PRIMARY KEY (tenant, run, id)
);

CREATE INDEX run_artifact_blob ON run_artifact (sha256);

CREATE TABLE run_event (
    tenant TEXT NOT NULL,
    run TEXT NOT NULL,
    seq BIGINT NOT NULL,
    type TEXT NOT NULL,
    at_us BIGINT NOT NULL,
    data TEXT NOT NULL,
    private TEXT,
    CONSTRAINT pk_run_event PRIMARY KEY (tenant, run, seq)
);

CREATE TABLE run_live (
    tenant TEXT NOT NULL,
    run TEXT NOT NULL,
    watched_until_us BIGINT NOT NULL,
    seq BIGINT DEFAULT '0' NOT NULL,
    text_start BIGINT DEFAULT '0' NOT NULL,
    text TEXT DEFAULT '' NOT NULL,
    reasoning_start BIGINT DEFAULT '0' NOT NULL,
    reasoning TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_run_live PRIMARY KEY (tenant, run)
);

CREATE TABLE tenant (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT pk_tenant PRIMARY KEY (tenant)
);

CREATE TABLE vector_model (
    tenant TEXT NOT NULL,
    model TEXT NOT NULL,
    id BIGINT NOT NULL,
    dim INTEGER NOT NULL,
    count BIGINT NOT NULL,
    total BLOB NOT NULL,
    CONSTRAINT pk_vector_model PRIMARY KEY (tenant, model),
    CONSTRAINT uq_vector_model_id UNIQUE (id)
);

CREATE TABLE vector_row (
    tenant TEXT NOT NULL,
    model BIGINT NOT NULL,
    number BIGINT NOT NULL,
    vector BLOB NOT NULL,
    CONSTRAINT pk_vector_row PRIMARY KEY (tenant, model, number)
)
 WITHOUT ROWID;

CREATE TABLE worker (
    id TEXT NOT NULL,
    instance TEXT NOT NULL,
    lease_until_us BIGINT NOT NULL,
    CONSTRAINT pk_worker PRIMARY KEY (id)
);
