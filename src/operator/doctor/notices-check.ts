import type { NoticeLedger } from '../../ledger/notices/notice-ledger.ts';
import type { NoticesSetup } from '../../notices/read-notices-file.ts';
import { undeliveredLine } from '../notices/undelivered-line.ts';
import { type Check, ok } from './finding.ts';

type NoticePorts = {
  /** The notices file of this machine; null if there is none. Throws `NoticesFileError`. */
  readonly setup: () => NoticesSetup | null;
  readonly ledger: () => Promise<Pick<NoticeLedger, 'undeliveredOf'>>;
  readonly now: () => string;
};

/**
 * Makes a check of the notices to operators: whether the notices file and its secrets are usable, and whether every channel accepts the
 * messages about these tenants and the daily digests.
 */
export function noticesCheck({ setup, ledger, now }: NoticePorts, tenants: readonly string[]): Check {
  return {
    check: 'notices',
    tenant: null,
    repair: 'correct the file that LOCKSTEP_NOTICES names',
    run: async () => {
      const channels = setup()?.channels.length ?? null;
      const found = await (await ledger()).undeliveredOf([...tenants, ''], now());
      const failing = [...found.values()].flat();
      if (failing.length > 0)
        return failing.map((one) => ({
          verdict: 'warns',
          what: undeliveredLine(one),
          repair: 'correct the channel in the notices file, or what receives its messages',
        }));
      return [ok(channels === null ? 'LOCKSTEP_NOTICES names no file here' : `${channels} channels take all notices`)];
    },
  };
}
