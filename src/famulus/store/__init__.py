"""Engine, transactions, migrations, data folder and blobs; SQLite and PostgreSQL behind one `Database`."""
