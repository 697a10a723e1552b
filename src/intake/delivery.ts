import type { Rate } from './allowance.ts';
import type { Intake } from './intake.ts';
import type { MassLimits } from './limit-bulk.ts';

/** The functions of the intake that webhooks use. */
export type DeliveryIntake = Pick<
  Intake,
  'recordDeliveries' | 'wake' | 'markSignalled' | 'areRemotesHealthy' | 'ready'
>;

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = {
  /** Identifies a message within its source. When the source sends the message again, the id is equal. */
  readonly id: string;
  /** The CRM ids of records to observe, without repeats. */
  readonly crmIds: readonly string[];
};

export type DeliveryLimits = MassLimits & {
  /** Time limit for storing, in ms. Salesforce waits little longer than two seconds for an answer to an Outbound Message. */
  readonly storeMs: number;
  /** How long the sender waits for the signals after storing, in ms. A lone change is signalled within hundredths of a second. */
  readonly holdMs: number;
  /** The most records of one tenant that may wait to be stored and signalled. */
  readonly mostRecords: number;
  /** The rate at which one tenant's records are woken, so that a mass change does not start all its workflows at once. */
  readonly wakes: Rate;
  /**
   * The rate of wakes until the tenant's remotes have proved healthy. It is lower, because work on failing remotes costs other tenants
   * capacity.
   */
  readonly wakesUnproven: Rate;
  /** From this many records, a delivery goes to the tenant's lane if its remotes are healthy; null without lanes. */
  readonly laneFrom: number | null;
};

/** The default limits. Wakes: twice the vendor's usual request rate, with a burst of one full Outbound Message. */
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
