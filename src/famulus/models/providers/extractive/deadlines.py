"""Days that a question asks for and no document writes out: the end of a term, the last day to give notice, the day that something is due.

The day to count from comes from the question or from a sentence, the span from a sentence; both are quoted. Where either is missing or two
could be meant, there is no calculation.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from famulus.models.providers.extractive.days import ANY_YEAR, Day, Span, shifted, spans_of
from famulus.models.providers.extractive.figures import Calculation, Figure, closeness, telling_terms
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.pool import Pool
from famulus.models.providers.extractive.rates import lacks_thing
from famulus.models.providers.extractive.terms import Bag, Term, question_terms
from famulus.models.providers.extractive.units import days_of
from famulus.text.dates import DateMention, add_months, find_dates

_NOTICE: Final = re.compile(
    r"\b(?:notice|terminat\w*|cancel\w*|withdraw\w*|(?:ge)?kündig\w*|kündbar|kuendig\w*|\w*kündigungsfrist|opzeg\w*|opgezegd|opzegtermijn|resign\w*|résili\w*|démission\w*|préavis|dénon\w*|congé)\b|zeg\w* .{0,60}\bop\b",
    re.IGNORECASE,
)
_MUST: Final = re.compile(
    r"\b(?:must|have to|has to|need to|needs to|latest|at the latest|by when|by what|by which|until when can|before (?:when|which|what)|deadline|last day to|last date|spätestens|muss|müssen|bis wann|bis zu welchem|uiterlijk|moet|moeten|voor wanneer|"
    r"tot wanneer|au plus tard|doit|doivent|devons|dois|faut-il|jusqu['’]à (?:quand|quelle)|avant quelle|date limite)\b",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\b(?:ends?|ended|ending|end of|over|expires?|expired|expiry|run out|runs out|finish(?:es)?|last day|until when|how long (?:is|does)|valid|lapse[sd]?|complete[sd]?|endet|enden|ende|abläuft|abgelaufen|läuft|laufen|vorbei|zu ende|bis wann|letzte[rn]? tag|"
    r"gültig|eindigt|eindigen|einde|afloopt|afgelopen|loopt|lopen|voorbij|verstrijkt|verlopen|verloopt|tot wanneer|geldig|laatste dag|prend fin|fin|finit|termine|terminent|expire|expirent|échéance|dernier jour|jusqu['’]à (?:quand|quelle)|valable|arrive à (?:son )?terme)\b",
    re.IGNORECASE,
)
_START: Final = re.compile(
    r"\b(?:begins?|beginning|began|starts?|started|starting|commenc\w*|from|since|takes? effect|effective|in force|entered into|came into|opens?|opened|launched|went into|beginnt|begann|begin|start\w*|ab|seit|vom|von|tritt|eintritt|antritt|"
    r"gaat in|ingang|ingaand|begint|vanaf|sinds|van|débute|début|commence|à partir|à compter|depuis|prend effet|entre en vigueur|entrée?)\b",
    re.IGNORECASE,
)
_EVENT: Final = re.compile(
    r"\b(?:deliver\w*|arriv\w*|reached|received|bought|purchased|signed|issued|handed over|invoiced?|dated|ordered|geliefert|lieferung|eingetroffen|erhalten|gekauft|unterzeichnet|übergeben|ausgestellt|bestellt|geleverd|levering|ontvangen|gekocht|"
    r"ondertekend|gesloten|besteld|livrée?s?|livraison|reçue?s?|achetée?s?|signée?|émise?|conclu|commandée?s?|remise?)\b",
    re.IGNORECASE,
)
_TERM: Final = re.compile(
    r"\b(?:runs?|term|period|lasts?|duration|for|valid|warrant\w*|guarantee\w*|probation\w*|trial|läuft|laufzeit|dauer\w*|gilt|gültig|garantie|gewährleistung\w*|probezeit|befristet|abgeschlossen|mietdauer|loopt|looptijd|duur|geldt|geldig|proeftijd|"
    r"voor|durée|dure|court|valable|garantie|période d['’]essai|pour|conclu)\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"\b(?:before|prior|in advance|ahead|beforehand|earlier|vor|vorher|zuvor|im voraus|voraus|vorab|voor|vooraf|van tevoren|tevoren|eerder|avant|à l['’]avance|d['’]avance|au préalable)\b",
    re.IGNORECASE,
)
_END_OF: Final = re.compile(r"\b(?:end of|late|ende|eind|einde|fin)\b", re.IGNORECASE)
_MONTH_END: Final = re.compile(
    r"\b(?:end of (?:a|the|each|any|that) (?:calendar )?month|month['’]?s? end|monatsende|ende (?:eines|des|jedes) (?:\w+)?monats|auf ende (?:eines )?monats?|einde van (?:de|een|elke) (?:kalender)?maand|fin (?:du|de chaque|d['’]un) mois)\b",
    re.IGNORECASE,
)
_QUARTER_END: Final = re.compile(
    r"\b(?:end of (?:a|the|each) (?:calendar )?quarter|quartalsende|ende (?:eines|des) (?:\w+)?(?:quartals|vierteljahr\w*)|einde van (?:een|het|elk) kwartaal|fin (?:du|de|d['’]un) trimestre)\b",
    re.IGNORECASE,
)
_GIVES: Final = re.compile(
    r"\b(?:give notice|gives notice|given notice|hand in (?:my|her|his|our|their) notice|notice (?:is given |given )?on|terminate on|cancel on|kündige|kündigt|kündigen|gekündigt|opzeg|opzeggen|zeg\w*|opgezegd|résilie|résilions|donne|démissionne|préavis donné)\b",
    re.IGNORECASE,
)


def deadline(pool: Pool) -> Calculation | None:
    """The day asked for; None where the question asks for none, a document names it, or what is needed is missing."""
    plan = pool.plan
    if not any(part.asking.wanted in ("date", "duration", "open", "clock") for part in plan.parts) or plan.events:
        return None
    if not any(part.asking.wanted == "date" for part in plan.parts) and not _MUST.search(plan.question):
        return None
    if _NOTICE.search(plan.question):
        return _notice(pool)
    first = spans_of(pool.picks[0]) if pool.picks else []
    if any(_is_before(pool.picks[0], span) for span in first) and (found := _due(pool)) is not None:
        return found
    if _ENDS.search(plan.question) and (found := _term_end(pool)) is not None:
        return found
    return _due(pool)


def asks_latest(question: str) -> bool:
    """True where the last day to do something is asked for."""
    return _MUST.search(question) is not None


def question_days(plan: Plan) -> list[Day]:
    """The days that the question names; one without a year is reckoned in any."""
    found: list[Day] = []
    for mention in find_dates(plan.question):
        if mention.exact is not None:
            found.append(Day(mention.exact))
        elif mention.day is not None and mention.year is None:
            try:
                found.append(Day(date(ANY_YEAR, mention.month, mention.day), yearless=True))
            except ValueError:
                continue
    return found


# --- notice


_LAST_DAY: Final = re.compile(r"\b(?:last day|letzte[rnm]? tag|laatste dag|dernier jour)\b", re.IGNORECASE)


def _notice(pool: Pool) -> Calculation | None:
    plan = pool.plan
    span = _notice_span(pool)
    if span is None or span.source is None:
        return None
    asked = question_days(plan)
    if asked and _GIVES.search(plan.question) and not _MUST.search(plan.question):
        text = span.source.unit.text
        rounding = 3 if _QUARTER_END.search(text) else 1 if _MONTH_END.search(text) else 0
        return shifted(asked[0], [(1, span)], "later", plan.language, last_of=rounding)
    if not (_MUST.search(plan.question) or _LAST_DAY.search(plan.question) or asked):
        return None
    if asked:
        sign = 1 if _WITHIN.search(_clause_around(span)) and not _is_before(span.source, span) else -1
        return shifted(asked[0], [(sign, span)], "later" if sign > 0 else "earlier", plan.language)
    if (end := _named_end(pool, span.source)) is not None:
        return shifted(end, [(-1, span)], "earlier", plan.language)
    return _before_term_end(pool, span)


# `If you cancel within 14 days of the booking`: counted on, not back.
_WITHIN: Final = re.compile(
    r"\b(?:within|in the first|innerhalb|innert|binnen|binnen|dans les|sous)\b.*\b(?:of|after|from|since|following|nach|ab|seit|na|vanaf|après|suivant|à compter|dès)\b",
    re.IGNORECASE,
)


def _clause_around(span: Span) -> str:
    text = span.source.unit.text if span.source is not None else ""
    return text[max(0, span.quantity.start - 25) : span.quantity.end + 40]


_PROBATION: Final = re.compile(
    r"\b(?:probation\w*|trial period|probezeit|proeftijd|période d['’]essai)\b", re.IGNORECASE
)
_AFTERWARDS: Final = re.compile(
    r"\b(?:after|afterwards|thereafter|then|nach|danach|anschliessend|na|daarna|après|ensuite|par la suite)\b",
    re.IGNORECASE,
)


def _fits_probation(question: str, span: Span) -> bool:
    """False for the notice during a probation where the question is not about that, and the other way round."""
    if span.source is None:
        return True
    start = span.quantity.start
    before = re.split(r"[;.]\s|,\s", span.source.unit.text[max(0, start - 70) : start])
    clause = before[-1] + re.split(r"[;.,]", span.source.unit.text[span.quantity.end :][:40])[0]
    if len(before[-1]) < 4 and len(before) > 1:
        clause = before[-2] + clause
    during = _PROBATION.search(clause) is not None and not _AFTERWARDS.search(clause)
    asked = re.search(
        rf"\b(?:during|in|während|tijdens|pendant|durant)\b.{{0,12}}{_PROBATION.pattern}", question, re.IGNORECASE
    )
    return during == (asked is not None) or (asked is not None and not _PROBATION.search(span.source.unit.text))


def _notice_span(pool: Pool) -> Span | None:
    """The notice period: of several the one that the words of the question stand next to, else of the best sentence."""
    telling = [term for term in telling_terms(pool.plan) if not _NOTICE.search(term.written)]
    found: list[tuple[float, Span]] = []
    for rank, item in enumerate(_around(pool)):
        if not _NOTICE.search(item.unit.text) and not _NOTICE.search(" ".join(item.unit.headings[-1:])):
            continue
        spans = spans_of(item)
        if len(spans) > 1 and (before := [span for span in spans if _is_before(item, span)]):
            # `extended by two years unless notice is given six months before`: the second.
            spans = before
        for span in spans:
            if not _fits_probation(pool.plan.question, span):
                continue
            found.append(
                (
                    closeness(Figure(span.quantity, item), telling)
                    - 0.1 * rank
                    - (0.5 if item not in pool.picks else 0.0),
                    span,
                )
            )
    if not found:
        return None
    best = max(worth for worth, _ in found)
    top = [span for worth, span in found if worth >= best - 1e-9]
    return top[0] if len({(span.quantity.value, span.quantity.unit) for span in top}) == 1 else None


def _named_end(pool: Pool, source: Scored) -> Day | None:
    """The end that the question means by month or year, else the day of the sentence itself, else the end that its document names."""
    months = [mention for mention in find_dates(pool.plan.question) if mention.day is None and mention.year]
    years = {int(year) for year in re.findall(r"\b20\d\d\b", pool.plan.question)}
    own = [(mention, day) for mention, day in days_of(source.unit)]
    others = [
        (item, mention, day)
        for item in _around(pool)
        for mention, day in days_of(item.unit)
        if item.seen.document_id == source.seen.document_id
    ]
    for month in months:
        for item, _, day in [*((source, mention, day) for mention, day in own), *others]:
            if (day.year, day.month) == (month.year, month.month):
                return Day(day, item)
        if month.year and _END_OF.search(pool.plan.question[max(0, month.start - 14) : month.start]):
            return Day(date(month.year, month.month, monthrange(month.year, month.month)[1]))
        return None
    fitting = [day for _, day in own if not years or day.year in years]
    if len(fitting) == 1 and not _START.search(source.unit.text[: own[0][0].start][-25:]):
        return Day(fitting[0], source)
    ends = [(item, day) for item, mention, day in others if _is_end(item, mention) and (not years or day.year in years)]
    return Day(ends[0][1], ends[0][0]) if len({day for _, day in ends}) == 1 else None


def _before_term_end(pool: Pool, notice: Span) -> Calculation | None:
    """The notice before the end of a term whose start and length the document gives."""
    assert notice.source is not None
    document = notice.source.seen.document_id
    start, term = _start(pool, document), _term(pool, document, notice)
    if start is None or term is None:
        return None
    if notice.quantity.unit in ("day", "week") and term.quantity.unit in ("month", "year", "quarter"):
        months = int(term.quantity.value) * {"month": 1, "quarter": 3, "year": 12}[term.quantity.unit]
        end = Day(add_months(start.day, months) - timedelta(days=1), start.source)
        sources = [term.source] if term.source is not None else []
        return shifted(end, [(-1, notice)], "earlier", pool.plan.language, sources=sources)
    return shifted(start, [(1, term), (-1, notice)], "later", pool.plan.language, less_a_day=True)


# --- terms


def _term_end(pool: Pool) -> Calculation | None:
    plan = pool.plan
    documents = _documents(pool)
    asked = question_days(plan)
    for document in documents[:2]:
        term = _term(pool, document, None)
        if term is None or term.source is None:
            continue
        if not asked and _states_end(pool, document, term.source):
            return None
        if (
            asked
            and pool.picks
            and spans_of(pool.picks[0])
            and term.source is not pool.picks[0]
            and not _NOTICE.search(pool.picks[0].unit.text)
        ):
            # The best sentence has a span of its own: that one is meant.
            return None
        start = asked[0] if asked else _start(pool, document, term)
        if start is not None and not (
            start.source is None and _BEFORE.search(term.source.unit.text[term.quantity.end :][:40])
        ):
            spans = [(1, term)]
            if _RENEWED.search(plan.question) and not _NOT_RENEWED.search(plan.question):
                extension = _extension(pool, document, term)
                if extension is None:
                    return None
                spans.append((1, extension))
            return shifted(start, spans, "term_end", plan.language)
    return None


_RENEWED: Final = re.compile(
    r"\b(?:extend\w*|extension|renew\w*|prolong\w*|verläng\w*|verleng\w*|reconduit\w*|reconduction|renouvel\w*)\b",
    re.IGNORECASE,
)


_NOT_RENEWED: Final = re.compile(
    rf"\b(?:not|never|without|nicht|ohne|niet|zonder|sans|pas|ne|n['’]est)\b.{{0,15}}?{_RENEWED.pattern}|{_RENEWED.pattern}.{{0,5}}\b(?:pas|nicht|niet)\b",
    re.IGNORECASE,
)


def _extension(pool: Pool, document: str, term: Span) -> Span | None:
    """By how much the term is extended."""
    for item in pool.of_document(document):
        for span in spans_of(item):
            before = re.split(r"[;.]\s", item.unit.text[max(0, span.quantity.start - 60) : span.quantity.start])[-1]
            after = re.split(r"[;.,]\s?", item.unit.text[span.quantity.end :][:30])[0]
            if (_RENEWED.search(before) or _RENEWED.search(after)) and not _is_before(item, span) and span != term:
                return span
    return None


def _states_end(pool: Pool, document: str, source: Scored) -> bool:
    """True when a quoted sentence gives the end as a day, or two days of which the second is one."""
    if any(quantity.kind == "time" for quantity in pool.plan.quantities):
        return False
    for item in pool.picks:
        if item is source:
            # The sentence that gives start and length ranks before any that names an end of something.
            return False
        if item.seen.document_id == document:
            for mention, _ in days_of(item.unit):
                if _is_end(item, mention):
                    return True
    return False


def _is_end(item: Scored, mention: DateMention) -> bool:
    """True for a day that a word of ending stands next to (`ends on`, `until`, `bis zum`)."""
    before = item.unit.text[max(0, mention.start - 45) : mention.start]
    after = item.unit.text[mention.end : mention.end + 25]
    word = re.search(
        r"\b(?:until|till|to|ends?|ending|expires?|through|up to and including|by|bis(?: zum| und mit)?|endet(?: am)?|ende|läuft ab|tot(?: en met)?|eindigt(?: op)?|loopt af|jusqu['’]au|au|termine|prend fin|expire|fin)\s+(?:on |am |op |le |the |den |dem |zum )?(?:\w+day |\w+tag,? (?:den )?|\w+dag |\w+di )?$",
        before,
        re.IGNORECASE,
    )
    return word is not None or re.match(r"\s*(?:ende[nt]|ab|ends|eindigt|af)\b", after, re.IGNORECASE) is not None


def _start(pool: Pool, document: str, term: Span | None = None) -> Day | None:
    """The day on which the term begins: in the sentence of the term, else in the best sentence of the document that speaks of a start."""
    own = [term.source] if term is not None and term.source is not None else []
    others = [item for item in _around(pool) if item.seen.document_id == document and item not in own]
    for items, pattern in ((own, _START), (others, _START), (own, _EVENT), (others, _EVENT)):
        for item in items:
            for mention, day in days_of(item.unit):
                text = item.unit.text
                next_day = min((m.start for m, _ in days_of(item.unit) if m.start > mention.start), default=len(text))
                near = text[max(0, mention.start - 60) : min(mention.end + 30, next_day - 8)]
                if pattern.search(near) and not _is_end(item, mention):
                    return Day(day, item)
    return None


def _term(pool: Pool, document: str, notice: Span | None) -> Span | None:
    """How long it runs: a span with a word of lasting before it, no notice period; of several the one nearest to the words of the question."""
    telling = telling_terms(pool.plan)
    asked = {(quantity.value, quantity.unit) for quantity in pool.plan.quantities if quantity.kind == "time"}
    found: list[tuple[float, Span]] = []
    for rank, item in enumerate(_around(pool)):
        if item.seen.document_id != document:
            continue
        for span in spans_of(item):
            clause = re.split(r"[;.]\s", item.unit.text[max(0, span.quantity.start - 70) : span.quantity.start])[-1]
            around = item.unit.text[max(0, span.quantity.start - 50) : span.quantity.end + 50]
            if notice is not None and (item is notice.source or _NOTICE.search(around)):
                continue
            if (
                not _TERM.search(clause + item.unit.text[span.quantity.end : span.quantity.end + 20])
                or _BEFORE.search(item.unit.text[span.quantity.end : span.quantity.end + 25])
                or _NOTICE.search(around)
            ):
                continue
            if re.search(
                r"\b(?:renew\w*|verlänger\w*|verleng\w*|reconduit\w*|renouvel\w*|again|further|weitere|extended|minimum|earliest)\b",
                around,
                re.IGNORECASE,
            ):
                continue
            if asked and (span.quantity.value, span.quantity.unit) not in asked and not question_days(pool.plan):
                continue
            bonus = 0.6 if any(_START.search(item.unit.text) and mention for mention, _ in days_of(item.unit)) else 0.0
            found.append(
                (
                    closeness(Figure(span.quantity, item), telling)
                    + bonus
                    - 0.1 * rank
                    - (0.3 if item not in pool.picks else 0.0)
                    - (1.0 if notice is None and _NOTICE.search(item.unit.text) else 0.0),
                    span,
                )
            )
    if not found:
        return None
    return max(found, key=lambda item: item[0])[1]


# --- what is due


def _due(pool: Pool) -> Calculation | None:
    """The day of the question, or of an event that a sentence dates, with the one span of the best sentence added or taken off."""
    plan = pool.plan
    asked = question_days(plan)
    if not asked and not _MUST.search(plan.question):
        return None
    for item in pool.picks[:3] or [item for item in pool.near[:1] if not _lacks_thing(item)]:
        spans = spans_of(item)
        span = spans[0] if len(spans) == 1 else _named_span(pool, item, spans)
        if span is None or (_NOTICE.search(item.unit.text) and not _NOTICE.search(plan.question)):
            continue
        sign = -1 if _is_before(item, span) else 1
        phrase = "later" if sign > 0 else "earlier"
        if len(asked) == 1 and not any(day == asked[0].day for _, day in days_of(item.unit)):
            return shifted(asked[0], [(sign, span)], phrase, plan.language)
        if not asked and (event := _event_day(pool, item, span)) is not None:
            return shifted(event, [(sign, span)], phrase, plan.language)
    return None


def _named_span(pool: Pool, item: Scored, spans: Sequence[Span]) -> Span | None:
    telling = telling_terms(pool.plan)
    rated = sorted(
        ((closeness(Figure(span.quantity, item), telling), span) for span in spans), key=lambda each: -each[0]
    )
    return rated[0][1] if len(rated) > 1 and rated[0][0] > 1.1 * rated[1][0] else None


def _is_before(item: Scored, span: Span) -> bool:
    after = item.unit.text[span.quantity.end : span.quantity.end + 45]
    before = item.unit.text[max(0, span.quantity.start - 30) : span.quantity.start]
    match = _BEFORE.search(re.split(r"[;.,]\s", after)[0])
    return match is not None or re.search(r"\b(?:in advance|im voraus)\b", before, re.IGNORECASE) is not None


def _event_day(pool: Pool, item: Scored, span: Span) -> Day | None:
    """The day of what the span runs from (`within eight days of delivery`, `two weeks before the start`), where one sentence dates it."""
    after = re.split(r"[;.]\s", item.unit.text[span.quantity.end : span.quantity.end + 70])[0]
    terms = [term for term in question_terms(after, item.unit.language) if term.kind not in ("light", "number")][:3]
    own = [day for _, day in days_of(item.unit)]
    if len(own) == 1:
        return Day(own[0], item)
    telling = telling_terms(pool.plan)
    if not terms or own:
        return None
    if _BEGINNING.search(after) and (day := _beginning(pool, item, telling)) is not None:
        return day
    found: list[Day] = []
    for other in pool.ranked[:30]:
        if other is item or len(days_of(other.unit)) != 1:
            continue
        bag = Bag(other.unit.text, other.unit.language)
        near = Bag(" ".join((*other.unit.headings, other.seen.document)), None)
        if any(bag.credit(term) >= 0.7 for term in terms) and any(
            max(bag.credit(term), near.credit(term)) >= 0.7 for term in telling
        ):
            found.append(Day(days_of(other.unit)[0][1], other))
    return found[0] if len({day.day for day in found}) == 1 else None


_BEGINNING: Final = re.compile(
    r"\b(?:start|beginning|begins?|starts?|first day|arrival|\w*beginn|\w*start|anfang|\w*antritt|anreise|(?:het |de )?(?:begin|aanvang|start|aankomst)|début|commencement|arrivée)\b",
    re.IGNORECASE,
)


def _beginning(pool: Pool, item: Scored, telling: Sequence[Term]) -> Day | None:
    """The one day on which a sentence of the same document says that the thing of the question begins."""
    nouns = [term for term in telling if term.noun or term.kind in ("name", "code")]
    found: list[tuple[int, Day]] = []
    for other in pool.of_document(item.seen.document_id):
        for mention, day in days_of(other.unit):
            near = other.unit.text[max(0, mention.start - 60) : mention.end + 20]
            named = sum(other.credits.get(term.key, 0.0) >= 0.7 for term in nouns)
            if _START.search(near) and not _is_end(other, mention) and named:
                found.append((named, Day(day, other)))
    most = max((named for named, _ in found), default=0)
    best = [day for named, day in found if named == most]
    return best[0] if len({day.day for day in best}) == 1 else None


def _around(pool: Pool) -> Iterator[Scored]:
    """What is quoted of the document that fits best, then the rest of it, best first; then the same of the next."""
    for document in _documents(pool):
        yield from (pick for pick in pool.picks if pick.seen.document_id == document)
        yield from (item for item in pool.of_document(document) if item not in pool.picks)


def _lacks_thing(item: Scored) -> bool:
    """As for amounts; but a word of ending (`voorbij`) that the sentence lacks is what is worked out."""
    missing = [term for term in item.missing if not _ENDS.search(term.written) and not _NOTICE.search(term.written)]
    return lacks_thing(replace(item, missing=tuple(missing)))


_TIMES: Final = re.compile(
    r"once|twice|time|times|einmal|mal|keer|fois|contrat|contract|vertrag|job|stelle|baan", re.IGNORECASE
)


def _in_named_document(pool: Pool, *, gives: bool) -> list[Scored]:
    """The best sentence of a document that has all nouns of the question; to give notice, one that states a notice and has one of them."""
    nouns = [
        term
        for term in telling_terms(pool.plan)
        if (term.noun or term.kind in ("name", "code")) and not _TIMES.fullmatch(term.written)
    ]
    if not nouns or not (gives or _ENDS.search(pool.plan.question)):
        return []
    for item in pool.ranked[:10]:
        bags = pool.evidence.passages.get(item.seen.document_id, [])
        name = Bag(re.sub(r"[._-]+", " ", item.seen.document), None)
        held = sum(max(name.credit(term), *(bag.credit(term) for bag in bags), 0.0) >= 0.7 for term in nouns)
        states = gives and _NOTICE.search(item.unit.text) is not None and bool(spans_of(item))
        if not item.lacks_mark and (held == len(nouns) or (states and held)):
            return [item]
    return []


def _documents(pool: Pool) -> list[str]:
    """The documents of what is quoted, the one first that holds most of what the question names in its own words."""
    found = list(dict.fromkeys(pick.seen.document_id for pick in pool.picks))
    if not found:
        asks_notice = _NOTICE.search(pool.plan.question) is not None and any(
            term.kind in ("name", "code") for term in pool.plan.terms
        )
        # Which contract is meant its name tells; how its sentence on the notice calls the end (`break`, `leave`) does not matter.
        stated = [
            item
            for item in pool.ranked[:3]
            if asks_notice and not item.lacks_mark and _NOTICE.search(item.unit.text) and spans_of(item)
        ]
        near = [item for item in pool.near[:1] if not _lacks_thing(item)]
        near = near or stated or _in_named_document(pool, gives=_GIVES.search(pool.plan.question) is not None)
        return [item.seen.document_id for item in near[:1]]
    terms = [term for term in telling_terms(pool.plan) if term.noun or term.kind in ("name", "code")]

    def named(document: str) -> float:
        bags = pool.evidence.passages.get(document, [])
        name = Bag(re.sub(r"[._-]+", " ", document), None)
        return sum(max(name.credit(term), *(bag.credit(term) for bag in bags), 0.0) for term in terms)

    return sorted(found, key=lambda document: -round(named(document), 2))
