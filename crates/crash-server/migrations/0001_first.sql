-- Times are milliseconds since 1970. {BYTES} and {COUNTER} differ between the databases: src/store/migrations.rs.

CREATE TABLE projects (
    id {COUNTER},
    name TEXT NOT NULL UNIQUE
);

-- A key is `wfr_ID_SECRET` or `wfo_ID_SECRET`; only the digest of the whole is kept.
CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    project BIGINT NOT NULL,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE reports (
    project BIGINT NOT NULL,
    id TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (project, id)
);
CREATE INDEX reports_by_age ON reports (received_at);

-- Reports that nobody has analysed yet.
CREATE TABLE inbox (
    seq {COUNTER},
    project BIGINT NOT NULL,
    report TEXT NOT NULL
);

CREATE TABLE bugs (
    project BIGINT NOT NULL,
    id TEXT NOT NULL,
    -- What a crash has in common with all that may be the same: exception and function. The path decides.
    place TEXT NOT NULL,
    state TEXT NOT NULL,
    last_seen BIGINT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (project, id)
);
CREATE INDEX bugs_by_place ON bugs (project, place);
CREATE INDEX bugs_by_state ON bugs (project, state);

-- Which users met which bug.
CREATE TABLE meetings (
    project BIGINT NOT NULL,
    bug TEXT NOT NULL,
    cohort BIGINT NOT NULL,
    PRIMARY KEY (project, bug, cohort)
);

-- Users who asked for a policy lately.
CREATE TABLE cohorts (
    project BIGINT NOT NULL,
    cohort BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (project, cohort)
);

-- Sources and source maps, compressed.
CREATE TABLE maps (
    project BIGINT NOT NULL,
    release TEXT NOT NULL,
    file TEXT NOT NULL,
    kind TEXT NOT NULL,
    content {BYTES} NOT NULL,
    PRIMARY KEY (project, release, file)
);
