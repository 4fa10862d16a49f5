-- Up Migration

-- The person whose password a ticket renews; null for one that lets somebody new in.
alter table sign_in_ticket add column evaluator_id bigint references evaluator on delete cascade;

-- Down Migration

-- Without the column these would let somebody new in.
delete from sign_in_ticket where evaluator_id is not null;
alter table sign_in_ticket drop column evaluator_id;
