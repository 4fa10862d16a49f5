/** What became of the Visits of the `pass` of a statement: `made`, `failed`, `unsettled`, and `failures` by code. They are read only where the condition holds; it is SQL of this program. */
export function countVisitsOfPass(condition: string): string {
  return `
    select coalesce(sum(visits), 0)::int as made, coalesce(sum(visits) filter (where code is not null), 0)::int as failed,
      coalesce(sum(unsettled), 0)::int as unsettled, coalesce(jsonb_object_agg(code, visits) filter (where code is not null), '{}') as failures
    from (
      select code, count(*)::int as visits, (count(*) filter (where not is_settled))::int as unsettled
      from visit where visit.pass_id = pass.id and ${condition} group by code) by_code`;
}

/** The Passes of a Run ($1) with `made`, `failed`, `unsettled` and `failures`: as stored with their Round, or else counted. */
export const countedPasses = `
  select pass.*, coalesce(pass.visits_made, counted.made) as made, coalesce(pass.visits_failed, counted.failed) as failed,
    coalesce(pass.visits_unsettled, counted.unsettled) as unsettled, coalesce(pass.failures, counted.failures) as codes
  from round join pass on pass.round_id = round.id cross join lateral (${countVisitsOfPass('pass.visits_made is null')}) counted
  where round.run_id = $1`;
