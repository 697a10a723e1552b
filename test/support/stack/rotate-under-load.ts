import { type LoggedRequest, simulatorAdmin } from 'lockstep-simulators/testing';
import { type Stack, until } from './stack.ts';

export type RotationLoad = {
  /** Begins the load; it goes on by itself. */
  readonly begin: () => void;
  readonly isUnderWay: () => Promise<boolean>;
  /** Resolves when all of it is where it belongs. */
  readonly done: () => Promise<unknown>;
  /** One more change, made and brought through when all of the load is done. */
  readonly oneMore: () => Promise<unknown>;
};

export type Rotated = {
  /** Requests that the vendor refused for their key since it registered the new one. */
  readonly refused: readonly LoggedRequest[];
  /**
   * Those of them since the load was done. What had left with the old key before the first answer that showed it to be dead is
   * refused later on a slow machine, and is through by then.
   */
  readonly refusedAfterwards: readonly LoggedRequest[];
  /** What the confirmation ended with. */
  readonly code: number;
};

const HASH = /^\$2[aby]\$\S{56}$/m;
const LIMIT_MS = 120_000;

/**
 * Rotates a tenant's key as an operator does it, the vendor's own step in the middle of a load. Where keys overlap, the vendor
 * ends the old one when the new one is confirmed.
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
