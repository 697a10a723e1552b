import type { Rate } from './allowance.ts';
import type { Intake } from './intake.ts';
import type { MassLimits } from './limit-bulk.ts';

/** The part of the intake that webhooks are handed to. */
export type DeliveryIntake = Pick<
  Intake,
  'recordDeliveries' | 'wake' | 'markSignalled' | 'areRemotesHealthy' | 'ready'
>;

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = {
  /** The same when the same source sends the same message again. */
  readonly id: string;
  /** Records to look at, each once. */
  readonly crmIds: readonly string[];
};

export type DeliveryLimits = MassLimits & {
  /** Time for storing; a sender of Outbound Messages waits little longer than two seconds. */
  readonly storeMs: number;
  /** Time after which a delivery that is stored is not held back for its signals: a lone change has its own in hundredths of a second. */
  readonly holdMs: number;
  /** Records of one tenant that may wait to be stored and signalled. */
  readonly mostRecords: number;
  /** Records of one tenant that are woken: those of a mass change start their workflows one after the other. */
  readonly wakes: Rate;
  /** The same until the tenant's remotes have proved good: what is woken may come to nothing, and costs its neighbours as much. */
  readonly wakesUnproven: Rate;
  /**
   * So many records that are told of together are given to their tenant's lane, all at once, when its remotes have proved good; null where
   * it has none. A lane costs neighbours as much for a thousand as for ten.
   */
  readonly laneFrom: number | null;
};

/** Woken are twice as many a second as a vendor takes at the usual rate, and at once those of one full Outbound Message. */
export const DELIVERY_LIMITS: DeliveryLimits = {
  storeMs: 1800,
  holdMs: 300,
  mostRecords: 5000,
  wakes: { perSecond: 10, burst: 100 },
  wakesUnproven: { perSecond: 2, burst: 10 },
  laneFrom: null,
  massesStored: 3,
  massesWoken: 2,
  storesFirstMs: 1000,
};
