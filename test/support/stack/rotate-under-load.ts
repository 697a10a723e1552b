import { type LoggedRequest, simulatorAdmin } from 'lockstep-simulators/testing';
import { type Stack, until } from './stack.ts';

export type RotationLoad = {
  /** Starts the load, which then runs without further calls. */
  readonly begin: () => void;
  readonly isUnderWay: () => Promise<boolean>;
  /** Resolves when all changes of the load have arrived. */
  readonly done: () => Promise<unknown>;
  /** Makes one more change after the load and waits until it has arrived. */
  readonly oneMore: () => Promise<unknown>;
};

export type Rotated = {
  /** Requests that the vendor refused because of their key since it registered the new one. */
  readonly refused: readonly LoggedRequest[];
  /**
   * The refused requests after the load was done. On a slow machine, requests that left with the old key before the first refusal may be
   * refused only now; their changes have arrived by then.
   */
  readonly refusedAfterwards: readonly LoggedRequest[];
  /** The exit code of the confirmation. */
  readonly code: number;
};

const HASH = /^\$2[aby]\$\S{56}$/m;
const LIMIT_MS = 120_000;

/**
 * Rotates a tenant's key as an operator does, with the vendor's step in the middle of a load. If keys overlap, the vendor ends the old one
 * when the new one is confirmed.
 */
export async function rotateUnderLoad(
  stack: Stack,
  rotation: 'replace' | 'overlap',
  { begin, isUnderWay, done, oneMore }: RotationLoad,
): Promise<Rotated> {
  const vendor = simulatorAdmin(stack.vendor.adminUrl);
  const old = await vendor.keys();
  const { output } = await stack.run(['keys', 'rotate', stack.tenant]);
  const [hashedKey] = HASH.exec(output) ?? [];
  if (hashedKey === undefined) throw new Error(`no hash: ${output}`);
  begin();
  await until('the load is under way', isUnderWay, LIMIT_MS);
  const registeredAt = new Date().toISOString();
  await vendor.register(hashedKey, { rotation });
  const { code } = await stack.run(['keys', 'confirm', stack.tenant]);
  if (rotation === 'overlap') for (const { id } of old) await vendor.revoke(id);
  await done();
  const doneAt = new Date().toISOString();
  await oneMore();
  const refused = (await vendor.requestsSince(registeredAt)).filter(({ status }) => status === 401 || status === 403);
  return { refused, refusedAfterwards: refused.filter(({ time }) => time > doneAt), code };
}
