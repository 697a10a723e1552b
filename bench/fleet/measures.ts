import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { POLLED_STREAMS, type StreamName } from '../../src/domain/streams/streams.ts';
import { cadenceOf } from '../../src/platform/stream-rhythm.ts';
import { liveMemory } from '../../test/fuzz/live-memory.ts';
import { aTenant } from '../../test/support/stack/webhooks.ts';
import type { Fleet } from './world.ts';

/** Measurements of a worker with all its tenants during a period. */
export type Window = {
  /** Resident memory at the end, after garbage collection. */
  readonly workerMb: number;
  readonly statementsPerTenantMinute: number;
  /** The time of one scrape of the worker's metrics. */
  readonly scrapeMs: number;
  /** How many streams were polled later than their interval, and how many there are. */
  readonly late: number;
  readonly streams: number;
  /** The longest time since a poll, divided by the longest allowed time. */
  readonly worstAge: number;
};

/** Observes for the given time. `tenants`: the number of tenants in the ledger. */
export async function lookOn(fleet: Fleet, tenants: number, ms: number): Promise<Window> {
  const before = await statementsOf(fleet);
  const beganMs = performance.now();
  await delay(ms);
  const made = (await statementsOf(fleet)) - before;
  const minutes = (performance.now() - beganMs) / 60_000;
  const scrapeBeganMs = performance.now();
  const text = await (await fetch(`${fleet.stack.ops.worker}/metrics`)).text();
  const scrapeMs = performance.now() - scrapeBeganMs;
  return {
    workerMb: Math.round(await liveMemory(fleet.worker)),
    statementsPerTenantMinute: made / tenants / minutes,
    scrapeMs: Math.round(scrapeMs),
    ...agesIn(text),
  };
}

async function statementsOf({ stack }: Fleet): Promise<number> {
  const [row] = await stack.ledgerQuery(
    'select sum(calls) as calls from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())',
  );
  return Number(row?.['calls']);
}

/** A poll starts when its turn comes and a slot is free, so a poll that is late by less than this factor counts as in time. */
const IN_TIME = 1.25;

function agesIn(text: string): Pick<Window, 'late' | 'streams' | 'worstAge'> {
  const ages = [
    ...text.matchAll(/^lockstep_stream_age_seconds\{tenant="([^"]+)",stream="(\w+)"\} ([\d.]+)$/gm),
  ].flatMap(([, tenant, stream, age]) => {
    const { idleMs } = cadenceOf(aTenant(), stream as StreamName);
    return POLLED_STREAMS.includes(stream as StreamName) && tenant?.startsWith('idle')
      ? [(Number(age) * 1000) / idleMs]
      : [];
  });
  return {
    late: ages.filter((age) => age > IN_TIME).length,
    streams: ages.length,
    worstAge: Math.max(0, ...ages),
  };
}

/** Tables of the ledger that were scanned completely since the worker started, with the number of rows. */
export async function readWhole({ stack }: Fleet): Promise<readonly string[]> {
  const rows = await stack.ledgerQuery(
    `select relname, seq_scan, seq_tup_read from pg_stat_user_tables
     where seq_tup_read > 10000 order by seq_tup_read desc`,
  );
  return rows.map((row) => `${row['relname']}: ${row['seq_scan']} times, ${row['seq_tup_read']} rows`);
}

/** The statements with the most calls, and those with the most time. */
export async function heaviest({ stack }: Fleet): Promise<readonly string[]> {
  const rows = await stack.ledgerQuery(
    `(select calls, round(total_exec_time) as ms, round(rows::numeric / calls) as rows, query from pg_stat_statements order by calls desc limit 12)
     union (select calls, round(total_exec_time), round(rows::numeric / calls), query from pg_stat_statements
       where query ~ '(?i)^\\s*(select|with|insert|update|delete)' order by total_exec_time desc limit 12)
     order by 2 desc`,
  );
  return rows.map((row) => {
    const query = String(row['query']).replace(/\s+/g, ' ').trim().slice(0, 140);
    return `${String(row['calls']).padStart(8)} times ${String(row['ms']).padStart(7)} ms ${String(row['rows']).padStart(6)} rows  ${query}`;
  });
}

/** The receiver's own histogram of the time to store and hand on messages: how many took how many seconds. */
export async function intakeTimes({ stack }: Fleet): Promise<readonly string[]> {
  const text = await (await fetch(`${stack.ops.receiver}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('lockstep_webhook_intake_seconds'));
}

/** The value below which the given part of the values is. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}
