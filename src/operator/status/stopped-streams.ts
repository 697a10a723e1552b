import { type StreamStop, stopOf } from '../../domain/streams/stream-stop.ts';
import { STREAM_NAMES, type StreamName } from '../../domain/streams/streams.ts';
import type { MirrorLedger } from '../../ledger/mirror/mirror-ledger.ts';
import type { StreamLedger } from '../../ledger/streams/stream-ledger.ts';

export type StoppedStream = StreamStop & { readonly stream: StreamName };

/** The tenant's streams (sources of changes) that are stopped because the CRM does not let Lockstep read or write an object or field. */
export async function stoppedStreams(
  ledger: Pick<StreamLedger, 'cursors'>,
  tenant: string,
): Promise<readonly StoppedStream[]> {
  const names = STREAM_NAMES.map(stopOf);
  const stops = await ledger.cursors(tenant, names);
  return stopsOf((name) => stops[names.indexOf(name)]);
}

/**
 * The stopped streams (sources of changes) of a tenant. `kept`: returns the value that the ledger (Lockstep's database) stores for the
 * tenant under a given name.
 */
export function stopsOf(kept: (name: string) => unknown): readonly StoppedStream[] {
  return STREAM_NAMES.flatMap((stream) => {
    const stop = (kept(stopOf(stream)) ?? null) as StreamStop | null;
    return stop === null ? [] : [{ stream, ...stop }];
  });
}

/**
 * The result of an operator's retry of failed work. `streams`: the streams (sources of changes) that were stopped. `refusedRows`: how many
 * items are tried again. Some items are rows or notices (messages to owners of deals and orders) that Salesforce refused. The others are
 * rows whose details the vendor did not return.
 */
export type RetriedStreams = { readonly streams: readonly StreamName[]; readonly refusedRows: number };

/**
 * Ends the waits of a tenant's stopped streams (sources of changes), and of the items that `refusedRows` of the result counts, so that
 * Lockstep tries all of them again now. `at`: the present instant, ISO.
 */
export async function retryStreams(
  ledger: Pick<StreamLedger, 'cursors' | 'saveCursor'> & Pick<MirrorLedger, 'retryRefusedRows'>,
  tenant: string,
  at: string,
): Promise<RetriedStreams> {
  const stopped = await stoppedStreams(ledger, tenant);
  for (const { stream, ...stop } of stopped)
    await ledger.saveCursor(tenant, stopOf(stream), { ...stop, retryAt: at } satisfies StreamStop, at);
  const refusedRows = await ledger.retryRefusedRows(tenant, at);
  return { streams: stopped.map(({ stream }) => stream), refusedRows };
}
