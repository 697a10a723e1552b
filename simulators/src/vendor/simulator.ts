import type { Hono } from 'hono';
import { createAdminApp, type SimulatorBackend } from '../core/admin.ts';
import { createClock } from '../core/clock.ts';
import { withAdmin } from '../core/dispatch.ts';
import { createFaultPlan } from '../core/faults.ts';
import { createPage } from '../core/page/page.ts';
import { createProbes } from '../core/probes.ts';
import { createQuota } from '../core/quota.ts';
import { createRequestLog } from '../core/request-log.ts';
import type { FetchApp } from '../core/server.ts';
import { createSnapshots, type SnapshotParts, type Snapshots } from '../core/snapshots.ts';
import { openStateFile, type StateFile } from '../core/state-file.ts';
import { createAdminBackend } from './admin-backend.ts';
import { createApi } from './api.ts';
import type { GatewayEnv } from './gateway.ts';
import { createKeyRing, newApiKey } from './keys.ts';
import { createLife } from './life/life.ts';
import {
  behaviourOf,
  DEFAULT_KEY_HEADER,
  DEFAULT_ORDERS,
  DEFAULT_PARTNER_ID,
  DEFAULT_QUOTA,
  DEFAULT_SEED,
  strictVersion,
  type VendorSimulatorOptions,
} from './options.ts';
import { type VendorPageParts, vendorContent } from './own-page.ts';
import { createPages } from './pages.ts';
import { seedPortfolio } from './portfolio.ts';
import { loadState, type StateParts, toState } from './state.ts';
import { createStore } from './store.ts';
import { createViolationLog } from './violations/violation-log.ts';
import { createWorld, type WorldSeed } from './world/world.ts';

/** The vendor simulator before it listens. */
export type VendorSimulator = {
  readonly app: FetchApp;
  /** The simulated API without the admin surface. */
  readonly api: Hono<GatewayEnv>;
  readonly apiKey: string;
  readonly partnerId: string;
  /** Writes the state file, if there is one. */
  close(): Promise<void>;
};

/** Assembles the vendor simulator. A state file with data replaces the seed. */
export function createVendorSimulator(options: VendorSimulatorOptions = {}): VendorSimulator {
  const apiKey = options.apiKey ?? newApiKey();
  const partnerId = options.partnerId ?? DEFAULT_PARTNER_ID;
  const clock = createClock(options.readMs);
  let stateFile: StateFile | undefined;
  const onChange = (): void => stateFile?.touch();
  const parts = {
    clock,
    log: createRequestLog(clock),
    faults: createFaultPlan(options.seed ?? DEFAULT_SEED),
    quota: createQuota(clock, DEFAULT_QUOTA),
    store: createStore(onChange),
    world: createWorld(onChange),
    keys: createKeyRing({ rotation: options.rotation ?? 'replace', onChange }),
    behaviour: behaviourOf(options),
    partnerId,
    keyHeader: options.keyHeader ?? DEFAULT_KEY_HEADER,
    violations: createViolationLog(clock),
    strict: strictVersion(options),
  };
  const addKeys = (): void => [{ apiKey, partnerId }, ...(options.keys ?? [])].forEach(parts.keys.add);
  const firstSeed = options.seed ?? DEFAULT_SEED;
  const life = createLife({ ...parts, paceSeconds: options.paceSeconds, seed: firstSeed });
  const products = options.products === undefined ? {} : { products: options.products };
  const reseed = (seed = firstSeed): void => {
    parts.violations.clear();
    seedAll(parts, { seed, count: options.orders ?? DEFAULT_ORDERS, ...products }, clock.now());
    life.restart(seed);
    addKeys();
  };
  stateFile = openState(options, parts);
  if (stateFile?.initial === undefined) reseed();
  else loadState(stateFile.initial, options.state ?? '', parts);
  // The given key is valid even if the state lacks it, unless the state says that it was ended.
  addKeys();
  const api = createApi(parts);
  const snapshots = openSnapshots(options, parts, () => life.restart(firstSeed));
  const backend = createAdminBackend({ ...parts, snapshots, reseed });
  const own = createOwnPages(backend, { ...parts, apiKey });
  const app = withAdmin(api, createAdminApp(backend), own, life.catchUp);
  return { app, api, apiKey, partnerId, close: async () => stateFile?.close() };
}

/** Pages that are not part of the simulated API: probes, the OpenAPI document, and the page for developers. */
function createOwnPages(backend: SimulatorBackend, parts: VendorPageParts): Hono {
  const own = createProbes({ name: 'vendor', log: parts.log, counts: backend.counts });
  own.route('/', createPages(parts));
  own.route(
    '/',
    createPage(backend, (origin) => vendorContent(parts, origin)),
  );
  return own;
}

function openState(options: VendorSimulatorOptions, parts: StateParts): StateFile | undefined {
  if (options.state === undefined) return undefined;
  const notify = options.notify ?? (() => undefined);
  return openStateFile({ path: options.state, snapshot: () => toState(parts), notify });
}

function openSnapshots(
  options: VendorSimulatorOptions,
  parts: StateParts & Pick<SnapshotParts, 'clock' | 'faults' | 'quota'>,
  onReturn: () => void,
): Snapshots {
  return createSnapshots({
    ...parts,
    capture: () => toState(parts),
    restore: (data) => {
      loadState(data, 'What was saved', parts);
      onReturn();
    },
    ...(options.state !== undefined && { folder: `${options.state}.snapshots` }),
  });
}

function seedAll(parts: StateParts, from: Omit<WorldSeed, 'anchor'>, now: Date): void {
  const portfolioItems = from.seed === 'empty' ? [] : seedPortfolio();
  parts.store.load({ lastNumber: 0, leadOpportunities: [], portfolioItems });
  parts.world.generate({ ...from, anchor: now.toISOString() });
  parts.keys.load({ keys: [], pending: [], ended: [] });
}
