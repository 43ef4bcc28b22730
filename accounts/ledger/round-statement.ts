/** The statement that applies the decisions of a metering round on PostgreSQL. */
import { sql } from 'kysely';
import type { Meter } from '../plans/limits.ts';
import type { LockedAccount } from './meters.ts';
import type { RoundRows } from './round.ts';

/** What the decisions of a round need of an account. */
export interface Room {
  /** Micro-dollars that must be available. */
  readonly price: number;
  /** Requests that the plan must allow in addition to the running ones. */
  readonly places: number;
}

/** An account as it was when the round was decided. */
export interface DecidedAccount extends LockedAccount {
  /** Undefined if the row must be the same as then. */
  readonly room?: Room | undefined;
}

/**
 * Locks, in order of their ids, the accounts for which the decisions hold: plan, state, day and month are as in `accounts`, and so is the
 * whole row, or it has the room. Adds the differences to their meters, writes the other rows of these accounts only, and returns
 * their ids with the meters. A reservation that is gone ends it with a division by zero, which undoes everything.
 */
export function roundStatement(
  accounts: readonly DecidedAccount[],
  { meters, ended, opened, usage, movements }: RoundRows,
) {
  const given = accounts.map(({ meter, plan, planRow, isClosed, room }) => ({
    ...{ account_id: meter.account_id, meter, plan: planRow, is_closed: isClosed },
    ...{ price: room?.price, places: room?.places, places_max: plan.concurrentRequestsMax },
  }));
  const json = (rows: readonly unknown[]) => sql`${JSON.stringify(rows)}::jsonb`;
  return sql<{ account_id: string; meter: Meter | null }>`
    with given as materialized (
      select g.*, jsonb_populate_record(null::meters, g.meter) as known
      from jsonb_to_recordset(${json(given)})
        as g(account_id text, meter jsonb, plan jsonb, is_closed boolean, price bigint, places bigint, places_max bigint)
    ), fits as materialized (
      select meters.account_id from given
        join meters on meters.account_id = given.account_id
        join accounts on accounts.id = meters.account_id
        join plans on plans.id = accounts.plan_id
      where to_jsonb(plans) = given.plan and (accounts.closed_at is not null) = given.is_closed
        and case when given.places is null then to_jsonb(meters) = given.meter
          else meters.day = (given.known).day and meters.month = (given.known).month
            and meters.available >= given.price
            and (given.places = 0 or given.places_max is null or meters.running + given.places <= given.places_max)
          end
      order by meters.account_id
      for update of meters
    ), ending as materialized (
      select r.id from jsonb_to_recordset(${json(ended)}) as r(id text, account_id text)
      where r.account_id in (select account_id from fits)
    ), ended as (
      delete from reservations where id in (select id from ending) returning id
    ), written as (
      update meters set
        funding = meters.funding + m.funding - (given.known).funding,
        available = meters.available + m.available - (given.known).available,
        held = meters.held + m.held - (given.known).held,
        spent = meters.spent + m.spent - (given.known).spent,
        running = meters.running + m.running - (given.known).running,
        tokens_held = meters.tokens_held + m.tokens_held - (given.known).tokens_held,
        recent_requests = case when given.places is null then m.recent_requests else meters.recent_requests end,
        day = m.day,
        day_requests = greatest(0, meters.day_requests + m.day_requests - (given.known).day_requests),
        month = m.month,
        month_tokens = meters.month_tokens + m.month_tokens - (given.known).month_tokens
      from jsonb_populate_recordset(null::meters, ${json(meters)}) as m
        join given on given.account_id = m.account_id
      where meters.account_id = m.account_id and m.account_id in (select account_id from fits)
      returning meters.*
    ), opened as (
      insert into reservations select r.* from jsonb_populate_recordset(null::reservations, ${json(opened)}) as r
      where r.account_id in (select account_id from fits)
    ), used as (
      insert into usage select r.* from jsonb_populate_recordset(null::usage, ${json(usage)}) as r
      where r.account_id in (select account_id from fits)
    ), moved as (
      insert into movements select r.* from jsonb_populate_recordset(null::movements, ${json(movements)}) as r
      where r.account_id in (select account_id from fits)
    )
    select fits.account_id,
      (select to_jsonb(written) from written where written.account_id = fits.account_id) as meter,
      1 / (case when (select count(*) from ended) = (select count(*) from ending) then 1 else 0 end)
    from fits`;
}
