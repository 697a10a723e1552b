import type { OperationGroup } from '../../domain/loop/operation-groups.ts';
import type { Rotation, RotationRunStatus } from '../../intake/rotation.ts';
import { Unanswered } from '../../intake/single-run.ts';
import type { PauseLedger } from '../../ledger/quota/quota-ledger.ts';
import type { KeyLedger, VendorKeyRow } from '../../ledger/tenants/key-ledger.ts';

/** The status of a tenant's API key for the vendor. Contains no key. Instants are ISO. */
export type KeyStatus = {
  readonly tenant: string;
  /** Where the key in use comes from. If the ledger (Lockstep's database) has a key, the key in the tenant file is not used. */
  readonly inUse: 'ledger' | 'tenant file';
  readonly switchedAt: string | null;
  /**
   * When a test last proved that both parts of the vendor's API (sales and orders) accept the key in use. Null if no test has proved this
   * since the key came into use.
   */
  readonly provenAt: string | null;
  /**
   * A new key that is not in use yet: its hash, which the vendor must register, and since when the key exists. Null if there is no such
   * key.
   */
  readonly waiting: { readonly hashedKey: string; readonly since: string | null } | null;
  readonly rotation: RotationRunStatus | null;
  /** The state of the running rotation's new key; null if no rotation runs, or if the vendor has not given its new key yet. */
  readonly rotationKey: RotationKey | null;
  /** The vendor's operation groups (requests that fail together) that are paused, for example after the vendor refused the key. */
  readonly paused: Awaited<ReturnType<PauseLedger['pauses']>>;
};

/**
 * The state of a rotation's new key in the ledger (Lockstep's database). `missing`: the ledger lacks the key, for example because the
 * ledger was restored from a backup. The rotation can then only be aborted.
 */
export type RotationKey = 'waiting' | 'in use' | 'missing';

export type KeyPorts = {
  readonly ledger: Pick<KeyLedger, 'vendorKeys' | 'setKey'> & Pick<PauseLedger, 'pauses'>;
  readonly rotation: Rotation;
  readonly pause: (ms: number) => Promise<void>;
};

/** Thrown if a command on keys cannot be executed. The message names the reason and the repair. */
export class CannotRotate extends Error {
  override readonly name = 'CannotRotate';
}

const OF_KEY: ReadonlySet<OperationGroup> = new Set(['vendor-sales', 'vendor-order']);

const POLL_MS = 500;
const MOST_POLLS = 120;
/** How many times a status query is sent, at most, if no worker answers it. Each attempt takes about five seconds. */
const MOST_ASKED = 12;

export async function keyStatus({ ledger, rotation }: KeyPorts, tenant: string): Promise<KeyStatus> {
  // A rotation shows the hash of its new key only after the ledger has the key, so the ledger is read after the rotation.
  const run = await rotation.status(tenant);
  const row = await ledger.vendorKeys(tenant);
  return {
    tenant,
    inUse: row?.inUse == null ? 'tenant file' : 'ledger',
    switchedAt: row?.switchedAt ?? null,
    provenAt: row?.provenAt ?? null,
    waiting: row?.waiting ? { hashedKey: row.waiting.hashedKey, since: row.waitingSince } : null,
    rotation: run,
    rotationKey: rotationKeyOf(run, row),
    paused: (await ledger.pauses(tenant)).filter(({ group }) => OF_KEY.has(group)),
  };
}

function rotationKeyOf(rotation: RotationRunStatus | null, row: VendorKeyRow | null): RotationKey | null {
  if (rotation?.isRunning !== true || rotation.phase !== 'waiting') return null;
  if (row?.waiting?.hashedKey === rotation.hashedKey) return 'waiting';
  return row?.inUseHash === rotation.hashedKey ? 'in use' : 'missing';
}

/**
 * Starts a rotation of the API key, and waits at most a minute until the new key's hash is known. An operator must give the hash to the
 * vendor, which registers the new key by it. If the hash is not known after a minute, the returned status lacks it, and `keyStatus` shows
 * it later. Throws CannotRotate if a rotation is running.
 */
export async function rotateKey(ports: KeyPorts, tenant: string): Promise<KeyStatus> {
  if (!(await ports.rotation.start(tenant)))
    throw new CannotRotate(
      `A rotation of ${tenant} is under way: lockstep keys status ${tenant} says where it stands.`,
    );
  return until(ports, tenant, ({ rotation }) => rotation !== null && rotation.phase !== 'generating');
}

/**
 * Requests a test of the new key with both parts of the vendor's API (sales and orders), and waits at most a minute for the result. Throws
 * CannotRotate if no rotation is running.
 */
export async function confirmKey(ports: KeyPorts, tenant: string): Promise<KeyStatus> {
  const proofs = (await answered(() => ports.rotation.status(tenant)))?.proofs ?? 0;
  await tell(ports, tenant, 'confirm');
  return until(ports, tenant, ({ rotation }) => rotation !== null && (rotation.proofs > proofs || !rotation.isRunning));
}

/**
 * Discards the new key of a running rotation and ends the rotation, unless the new key is in use. Throws CannotRotate if no rotation is
 * running.
 */
export async function abortKey(ports: KeyPorts, tenant: string): Promise<KeyStatus> {
  await tell(ports, tenant, 'abort');
  return until(ports, tenant, ({ rotation }) => rotation?.isRunning !== true);
}

/**
 * Stores a key that the vendor has given to an operator (outside a rotation). Lockstep uses the key from the next request on. Ends a
 * running rotation whose new key is in use already or is missing. Throws CannotRotate if a running rotation still generates its new key,
 * or if a new key waits, because this new key would be lost. `at`: the present instant, ISO.
 */
export async function setKey(ports: KeyPorts, tenant: string, apiKey: string, at: string): Promise<KeyStatus> {
  if (!/^[\x21-\x7e]{1,1000}$/.test(apiKey))
    throw new CannotRotate('What was given is no key: one line of visible ASCII characters is.');
  const rotation = await answered(() => ports.rotation.status(tenant));
  const isRunning = rotation?.isRunning === true;
  if (isRunning && (rotation.phase === 'generating' || (await ports.ledger.vendorKeys(tenant))?.waiting != null))
    throw new CannotRotate(`A rotation of ${tenant} is under way: end it first with lockstep keys abort ${tenant}.`);
  await ports.ledger.setKey(tenant, apiKey, at);
  if (!isRunning) return keyStatus(ports, tenant);
  // A rotation does not end on an abort while its new key is in use. So the other key is put in use first.
  await ports.rotation.tell(tenant, 'abort');
  return until(ports, tenant, (status) => status.rotation?.isRunning !== true);
}

async function tell({ rotation }: KeyPorts, tenant: string, word: 'confirm' | 'abort'): Promise<void> {
  if (!(await rotation.tell(tenant, word)))
    throw new CannotRotate(`No rotation of ${tenant} is under way: begin one with lockstep keys rotate ${tenant}.`);
}

async function until(ports: KeyPorts, tenant: string, isOver: (status: KeyStatus) => boolean): Promise<KeyStatus> {
  const ask = (): Promise<KeyStatus> => answered(() => keyStatus(ports, tenant));
  let status = await ask();
  for (let polls = 0; polls < MOST_POLLS && !isOver(status); polls += 1) {
    await ports.pause(POLL_MS);
    status = await ask();
  }
  return status;
}

/**
 * Sends a query to a workflow, and repeats it for up to a minute if no worker answers. After the death of a worker, it takes some seconds
 * until another worker answers.
 */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unanswered) || asked === MOST_ASKED) throw error;
    }
  }
}
