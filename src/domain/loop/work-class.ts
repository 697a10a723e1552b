/**
 * The urgency of the work on a record. `interactive`: a user waits for it. `burst`: many records changed at once, so no user waits for this
 * one in particular. `bulk`: an operator started it; the number is the share of the vendor's quota that the work may use. `echo`: no user
 * waits for it, because Lockstep only reads back its own write.
 */
export type WorkClass = 'interactive' | 'burst' | { readonly bulk: number } | 'echo';

/** From this number on, changes that are reported together count as a burst. No user is then likely to wait for one of them. */
export const BURST = 8;

/** Whether so many changes, reported together, count as a burst. */
export function isMany(reported: readonly unknown[]): boolean {
  return reported.length >= BURST;
}

type Treatment = {
  /** Whether the work has the highest priority (that of interactive work), and may run as a local activity. */
  readonly isFirst: boolean;
  /**
   * Whether the tenant's lane (the workflow for many records) processes the record. `many`: only if the record's change was reported
   * together with many others.
   */
  readonly lane: 'no' | 'many' | 'always';
  /**
   * How much of the vendor's request quota this class of work may use. `share`: a fraction of it. `onlySpare`: only requests that other
   * work does not need.
   */
  readonly claim: { readonly share?: number; readonly onlySpare?: true };
};

/** How the work of each class is treated, the most urgent class first. */
const TREATMENTS = {
  interactive: { isFirst: true, lane: 'no', claim: {} },
  burst: { isFirst: false, lane: 'many', claim: {} },
  bulk: { isFirst: false, lane: 'always', claim: {} },
  echo: { isFirst: false, lane: 'many', claim: { onlySpare: true } },
} as const satisfies Readonly<Record<string, Treatment>>;

const URGENCY = Object.keys(TREATMENTS);

/** How work of this class is treated. Work without a class counts as interactive, as in histories of older versions. */
export function treatmentOf(work: WorkClass = 'interactive'): Treatment {
  return isBulk(work) ? { ...TREATMENTS.bulk, claim: { share: work.bulk } } : TREATMENTS[work];
}

export function isBulk(work: WorkClass | undefined): work is { readonly bulk: number } {
  return typeof work === 'object';
}

/**
 * The class (urgency) of a record's work after a further signal. A more urgent signal makes the work more urgent. A signal to read back
 * Lockstep's own write (`echo`) lowers the urgency only if the record has no other work.
 */
export function afterWake(work: WorkClass, wake: WorkClass = 'interactive', isIdle: boolean): WorkClass {
  if (wake === 'echo' && isIdle) return wake;
  return urgencyOf(wake) < urgencyOf(work) ? wake : work;
}

function urgencyOf(work: WorkClass): number {
  return URGENCY.indexOf(isBulk(work) ? 'bulk' : work);
}

/**
 * The class (urgency) of a record's work after its first step. If Lockstep's own write was read back (`echo`) and there is still work to
 * do, a user must have edited the record, so the work becomes interactive.
 */
export function afterStep(work: WorkClass | undefined): WorkClass {
  return work === undefined || work === 'echo' ? 'interactive' : work;
}
