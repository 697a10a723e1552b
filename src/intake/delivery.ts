import type { Rate } from './allowance.ts';
import type { Intake } from './intake.ts';
import type { MassLimits } from './limit-bulk.ts';

/** The methods of the intake that webhooks use. */
export type DeliveryIntake = Pick<
  Intake,
  'recordDeliveries' | 'wake' | 'markSignalled' | 'requestStream' | 'areRemotesHealthy' | 'ready'
>;

export type DeliverySource = 'outbound-message' | 'signed-event';

export type Delivery = {
  /** The id of a message, unique for its source. A message that the source sends again has the same id. */
  readonly id: string;
  /** The CRM ids of the changed records, each once. */
  readonly crmIds: readonly string[];
};

export type DeliveryLimits = MassLimits & {
  /**
   * The time limit, in ms, for storing a delivery. Salesforce waits little longer than two seconds for the answer to an Outbound Message.
   */
  readonly storeMs: number;
  /**
   * How long the answer to the sender waits, at most, for the signals to the workflows of the delivery's records. Milliseconds from the
   * arrival of the delivery. The answer always waits until the delivery is stored, even longer than this. Signalling a single workflow
   * takes hundredths of a second.
   */
  readonly holdMs: number;
  /** The maximum number of records of one tenant that may wait to be stored and signalled. */
  readonly mostRecords: number;
  /**
   * The rate at which the workflows of one tenant's records are woken (started or signalled). It keeps a change of many records from
   * starting all their workflows at once.
   */
  readonly wakes: Rate;
  /**
   * The rate at which records' workflows are woken (started or signalled) until the tenant's remote systems are known to be healthy. It is
   * lower than `wakes`, because work that fails takes capacity from other tenants.
   */
  readonly wakesUnproven: Rate;
  /**
   * If at least this many records wait to be woken (their workflows started or signalled), they go to the tenant's lane (the workflow for
   * many records). This holds only while the tenant's remote systems are healthy. Null if there are no lanes.
   */
  readonly laneFrom: number | null;
};

/**
 * The default limits for deliveries (received messages). The workflows of ten records a second are woken (started or signalled), which is
 * twice the default rate of vendor requests. The records of one full Outbound Message (100) are woken at once.
 */
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
