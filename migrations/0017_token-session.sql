-- Up Migration

-- The session that a token was made in: one that began without an account has its tokens become those of the account that it makes.
alter table token add column session_id bigint references session (id) on delete set null;
create index token_session on token (session_id) where evaluator_id is null;

-- Down Migration

alter table token drop column session_id;
