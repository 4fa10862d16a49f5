-- Up Migration

-- By which token a trace was uploaded, and how many bytes came: the uploads of a token that no Capture tells of are bounded. Null of those from before, and while it is on its way.
alter table unclaimed_trace add column token_id bigint references token on delete set null, add column bytes bigint;
create index unclaimed_trace_token on unclaimed_trace (token_id);

-- Down Migration

alter table unclaimed_trace drop column token_id, drop column bytes;
