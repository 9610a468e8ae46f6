-- +goose NO TRANSACTION
-- +goose Up

-- For the reconciler, which takes away records that are past their time. Built beside what runs, as in the migration before.
drop index concurrently if exists sheetdrop.operator_action_by_age;
create index concurrently operator_action_by_age on sheetdrop.operator_action (at);
drop index concurrently if exists sheetdrop.dead_letter_by_age;
create index concurrently dead_letter_by_age on sheetdrop.dead_letter (seen_at);
drop index concurrently if exists sheetdrop.bulk_operation_by_age;
create index concurrently bulk_operation_by_age on sheetdrop.bulk_operation (created_at);
