import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import type { MappingVersion } from './mapping-version.ts';
import type { Tenant } from './tenant.ts';
import type { LoadedTenant } from './tenant-checks.ts';
import type { DeclaredTenant } from './tenant-declaration.ts';
import type { LoadOptions } from './tenant-file.ts';
import {
  type BuiltTenants,
  changesBetween,
  type MappedTenants,
  type Roster,
  rosterOf,
  withMappings,
} from './tenant-roster.ts';

/** The functions of the ledger (Lockstep's PostgreSQL database) that a process calls to keep its list of tenants up to date. */
export interface Registry {
  tenantsSince(change: number): Promise<readonly DeclaredTenant[]>;
  mappingsSince(change: number): Promise<readonly MappingVersion[]>;
  reportUnavailable(
    process: string,
    unavailable: readonly { readonly tenant: string; readonly reason: string }[],
    at: string,
  ): Promise<void>;
}

/**
 * The tenants that a running process knows at the moment: those of its tenant files, and those of the registry (the ledger's table of
 * tenants).
 */
export interface LiveRoster {
  roster(): Roster;
  /** The tenants that this process serves. */
  tenants(): readonly Tenant[];
  /**
   * Reads the changes of the registry (the ledger's table of tenants). Rejects with the ledger's error; the list of tenants is then
   * unchanged.
   */
  refresh(): Promise<void>;
  /** Registers a listener. If tenants were added, changed or removed, it is called with their names, once the list shows the change. */
  onChange(listener: (names: readonly string[]) => void): void;
  /** Refreshes the list of tenants at intervals until the signal aborts. */
  watch(signal: AbortSignal): Promise<void>;
}

export type LiveRosterOptions = {
  readonly files: readonly LoadedTenant[];
  /** Tenant files that cannot be used: the reason, by tenant name. */
  readonly broken?: ReadonlyMap<string, string>;
  readonly registry: Registry;
  readonly load: LoadOptions;
  /** The name of this process in its reports about tenants that it cannot serve. */
  readonly process: string;
  readonly log: Logger;
  readonly now: () => string;
  readonly pollEveryMs?: number;
};

/**
 * The time between two polls of the registry (the ledger's table of tenants), in milliseconds. A poll sends only two small statements,
 * however many tenants there are.
 */
const POLL_EVERY_MS = 2_000;
/**
 * Every 15th poll reads the whole registry (the ledger's table of tenants), and not only the changes with higher numbers than the last
 * known one. After a ledger was restored from a backup, new changes may have lower numbers. The poll also tries again to build the tenants
 * that could not be served, because a missing secret may exist by then. It repeats reports about tenants that cannot be served, because
 * reports expire after `REPORT_MS`.
 */
const WHOLE_EVERY = 15;
const REPORT_MS = 120_000;

/** The instant (ISO) from which on reports about tenants that cannot be served count. Older reports have expired. */
export function reportedSince(now: string): string {
  return new Date(Date.parse(now) - REPORT_MS).toISOString();
}

/** Opens the list of tenants with the present content of the registry (the ledger's table of tenants). Rejects with the ledger's error. */
export async function openRoster(options: LiveRosterOptions): Promise<LiveRoster> {
  const live = new FollowedRoster(options);
  await live.open();
  return {
    roster: () => live.roster,
    tenants: () => live.tenants,
    refresh: () => live.read(false),
    onChange: (listener) => void live.listeners.push(listener),
    watch: (signal) => live.watch(signal),
  };
}

class FollowedRoster {
  readonly listeners: ((names: readonly string[]) => void)[] = [];
  roster: Roster;
  tenants: readonly Tenant[];
  readonly #options: LiveRosterOptions;
  readonly #built: BuiltTenants = new Map();
  readonly #mapped: MappedTenants = new Map();
  #rows: ReadonlyMap<string, DeclaredTenant> = new Map();
  #mappings: ReadonlyMap<string, MappingVersion> = new Map();
  /**
   * The last read of the registry (the ledger's table of tenants). The next read starts after this one has ended, so that an older result
   * never replaces a newer one.
   */
  #reading: Promise<void> = Promise.resolve();
  #isOpen = false;
  #hasReported = false;

  constructor(options: LiveRosterOptions) {
    this.#options = options;
    this.roster = rosterOf(options.files, [], options.load, this.#built);
    this.tenants = tenantsOf(this.roster);
  }

  async open(): Promise<void> {
    await this.read(true);
    this.#isOpen = true;
  }

  read(isWhole: boolean): Promise<void> {
    const reading = this.#reading.then(() => this.#read(isWhole));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async watch(signal: AbortSignal): Promise<void> {
    const { log, pollEveryMs = POLL_EVERY_MS } = this.#options;
    let isOut = false;
    for (let poll = 1; !signal.aborted; poll += 1) {
      await pause(pollEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      try {
        await this.read(isOut || poll % WHOLE_EVERY === 0);
        isOut = false;
      } catch (err) {
        if (!isOut) log.warn('the registry of tenants cannot be read; those that are known are served', { err });
        isOut = true;
      }
    }
    if (this.#hasReported) await this.#report([]).catch(() => undefined);
  }

  async #read(isWhole: boolean): Promise<void> {
    const { registry, files, load, broken } = this.#options;
    const known = isWhole ? new Map<string, DeclaredTenant>() : this.#rows;
    const knownMappings = isWhole ? new Map<string, MappingVersion>() : this.#mappings;
    const found = await registry.tenantsSince(lastChange(known));
    const published = await registry.mappingsSince(lastChange(knownMappings));
    if (!isWhole && found.length === 0 && published.length === 0) return;
    for (const row of found) this.#noticeOlder(row);
    for (const row of published) this.#noticeOlderMapping(row);
    this.#rows = new Map([...known, ...found.map((row) => [row.tenant, row] as const)]);
    this.#mappings = new Map([...knownMappings, ...published.map((row) => [row.tenant, row] as const)]);
    const before = this.roster;
    const declared = rosterOf(files, [...this.#rows.values()], load, this.#built, broken);
    this.roster = withMappings(declared, [...this.#mappings.values()], this.#mapped);
    this.tenants = tenantsOf(this.roster);
    const names = changesBetween(before, this.roster);
    for (const name of names) this.#logChange(name);
    if (names.length > 0) for (const listener of this.listeners) listener(names);
    const unavailable = [...this.roster.unavailable].map(([tenant, reason]) => ({ tenant, reason }));
    if (unavailable.length > 0 || this.#hasReported) await this.#report(unavailable);
  }

  /**
   * Logs an error if a declaration has a lower version than the one known before. This should happen only after the ledger (Lockstep's
   * PostgreSQL database) was restored from a backup.
   */
  #noticeOlder({ tenant, version }: DeclaredTenant): void {
    const seen = this.#rows.get(tenant)?.version ?? 0;
    if (version < seen)
      this.#options.log.error('the registry shows an earlier declaration than before', { tenant, version });
  }

  /**
   * Logs an error if a published mapping has a lower version than the one known before. This should happen only after the ledger
   * (Lockstep's PostgreSQL database) was restored from a backup.
   */
  #noticeOlderMapping({ tenant, version }: MappingVersion): void {
    if (version < (this.#mappings.get(tenant)?.version ?? 0))
      this.#options.log.error('the ledger shows an earlier published mapping than before', { tenant, version });
  }

  #logChange(tenant: string): void {
    const { log } = this.#options;
    const reason = this.roster.unavailable.get(tenant);
    const { version = null, mappingVersion, tenant: served } = this.roster.served.get(tenant) ?? {};
    const { unopenedMapping } = served ?? {};
    if (unopenedMapping !== undefined)
      log.error('the newest published mapping does not open; an earlier one applies', { tenant, ...unopenedMapping });
    if (reason !== undefined) log.error('a tenant cannot be served', { tenant, reason });
    else if (!this.#isOpen) return;
    else if (mappingVersion !== undefined)
      log.info('a tenant is served with a published mapping', { tenant, version: mappingVersion });
    else if (version !== null) log.info('a tenant is served', { tenant, version });
    else log.info('a tenant is gone', { tenant });
  }

  async #report(unavailable: Parameters<Registry['reportUnavailable']>[1]): Promise<void> {
    const { registry, process, now } = this.#options;
    await registry.reportUnavailable(process, unavailable, now());
    this.#hasReported = unavailable.length > 0;
  }
}

function lastChange(rows: ReadonlyMap<string, { readonly change: number }>): number {
  return [...rows.values()].reduce((most, { change }) => Math.max(most, change), 0);
}

function tenantsOf({ served }: Roster): readonly Tenant[] {
  return [...served.values()].map(({ tenant }) => tenant);
}
