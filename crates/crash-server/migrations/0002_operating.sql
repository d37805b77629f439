-- Reports that could not be analysed, so that they stop nobody else's. Each is still among the reports.
CREATE TABLE dead_letters (
    project BIGINT NOT NULL,
    report TEXT NOT NULL,
    -- Why, as the operator of the server is told.
    reason TEXT NOT NULL,
    failed_at BIGINT NOT NULL,
    PRIMARY KEY (project, report)
);

-- The id of the key that it came with.
ALTER TABLE reports ADD COLUMN sender TEXT NOT NULL DEFAULT '';

-- In small letters: what a bug is found by.
ALTER TABLE bugs ADD COLUMN searched TEXT NOT NULL DEFAULT '';
CREATE INDEX bugs_by_time ON bugs (project, last_seen, id);

-- What the webhook is to be told.
CREATE TABLE notifications (
    seq {COUNTER},
    project BIGINT NOT NULL,
    bug TEXT NOT NULL,
    event TEXT NOT NULL,
    n_tries BIGINT NOT NULL,
    due_at BIGINT NOT NULL
);
CREATE INDEX notifications_by_time ON notifications (due_at);
