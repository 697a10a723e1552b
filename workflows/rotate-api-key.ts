import { condition, patched, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { KeyProof } from '../src/domain/loop/key-proof.ts';
import { shownWords } from '../src/domain/values/shown-id.ts';
import { abortKeySignal, confirmKeySignal, type RotationStatus, rotationQuery, type TenantInput } from './messages.ts';
import { upkeep, vendorRead, vendorReads, vendorWrite, vendorWrites } from './proxies.ts';
import { readFailure } from './read-failure.ts';

const REMIND_MS = 86_400_000;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

type Word = 'confirm' | 'abort';

/**
 * Changes a tenant's API key (order spec 5.3). Requests a new key from the vendor, shows its hash, and waits until an operator confirms
 * that the vendor has registered the hash. Then tests the key in both parts of the vendor's API (sales and orders) and puts it in use. If
 * the ledger (Lockstep's database) lacks the key, waits until an operator aborts the change. The history never contains the key.
 */
export async function rotateApiKey({ tenant }: TenantInput): Promise<RotationStatus> {
  const words: Word[] = [];
  let status: RotationStatus = {
    phase: 'generating',
    hashedKey: null,
    lostAnswers: 0,
    reminders: 0,
    proofs: 0,
  };
  const show = (change: Partial<RotationStatus>): void => {
    status = { ...status, ...change };
    setCurrentDetails(detailsOf(tenant, status));
  };
  setHandler(confirmKeySignal, () => void words.push('confirm'));
  setHandler(abortKeySignal, () => void words.push('abort'));
  setHandler(rotationQuery, () => status);
  show({});

  const hashedKey = await generate(tenant, show, words);
  if (hashedKey === null) return status;
  show({ phase: 'waiting', hashedKey });
  for (;;) {
    const isSignalled = await condition(() => words.length > 0, REMIND_MS);
    if (!isSignalled) {
      show({ reminders: status.reminders + 1 });
      await upkeep.remindOfKey({ tenant, days: status.reminders });
    } else if (words.shift() === 'abort') {
      const { isDone } = await upkeep.settleKey({ tenant, hashedKey, as: 'dropped' });
      if (isDone) show({ phase: 'aborted' });
      if (isDone) return status;
    } else {
      const proof = { sales: await prove(tenant, 'sales'), order: await prove(tenant, 'order') };
      const isConfirmed = isProven(proof) && (await putInUse(tenant, hashedKey));
      show({ proof, proofs: status.proofs + 1, ...(isConfirmed ? { phase: 'confirmed' } : {}) });
      if (isConfirmed) return status;
    }
  }
}

/**
 * Requests a new API key from the vendor, unless a new key waits already, and returns the key's hash. Null if the vendor refuses the
 * current key, or if an operator has aborted the change.
 */
async function generate(
  tenant: string,
  show: (change: Partial<RotationStatus>) => void,
  words: Word[],
): Promise<string | null> {
  for (let lost = 1, pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      const call = vendorWrite(tenant, 'generate an API key');
      return (await vendorWrites.createApiKey.executeWithOptions(call, [{ tenant }])).hashedKey;
    } catch (error) {
      const failure = readFailure(error);
      if (failure.kind === 'systemic') {
        show({ phase: 'refused' });
        return null;
      }
      // A throttled request made no key. After any other failure, the vendor may have made a key whose answer was lost.
      if (failure.kind !== 'throttled') show({ lostAnswers: lost++ });
      const waitMs = Math.max(pauseMs, failure.retryAfterMs ?? 0);
      if (await condition(() => words.includes('abort'), waitMs)) {
        show({ phase: 'aborted' });
        return null;
      }
    }
  }
}

/** Whether the vendor accepts the new key in one part of its API (sales or orders); `unknown` if no clear answer came. */
async function prove(tenant: string, domain: 'sales' | 'order'): Promise<KeyProof> {
  try {
    const call = vendorRead(tenant, `try the new key: ${domain}`);
    return (await vendorReads.proveApiKey.executeWithOptions(call, [{ tenant, domain }])).proof;
  } catch (error) {
    readFailure(error);
    return 'unknown';
  }
}

function isProven({ sales, order }: NonNullable<RotationStatus['proof']>): boolean {
  return sales === 'taken' && order === 'taken';
}

/** Puts the tested new key in use. False if the ledger (Lockstep's database) lacks the key, for example after a restore from a backup. */
async function putInUse(tenant: string, hashedKey: string): Promise<boolean> {
  const { isDone } = await upkeep.settleKey({ tenant, hashedKey, as: 'proven' });
  // A history without the patch ends here as confirmed, whatever the activity returned.
  return isDone || !patched('missing-key');
}

function detailsOf(tenant: string, status: RotationStatus): string {
  const { phase, lostAnswers, reminders, proof } = status;
  const lost = lostAnswers === 0 ? '' : ` ${lostAnswers} answer(s) lost, with their keys; asked again.`;
  const tried = proof === undefined ? '' : ` Last try: sales ${proof.sales}, order ${proof.order}.`;
  return `${phase}${reminders === 0 ? '' : `, for ${reminders} day(s)`}.${lost}${tried}${nextStep(tenant, status)}`;
}

function nextStep(tenant: string, { phase, hashedKey, proof }: RotationStatus): string {
  if (hashedKey === null || phase !== 'waiting') return '';
  // A proven key goes into use and ends the rotation, unless the ledger lacks the key.
  if (proof !== undefined && isProven(proof))
    return ` The ledger lacks the new key, for example after a restore: lockstep keys abort ${tenant}, then rotate again.`;
  return ` Hand this hash to the vendor, and when it is registered: lockstep keys confirm ${tenant}. ${shownWords(hashedKey)}`;
}
