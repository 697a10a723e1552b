import type { MappingConfig, StageRow } from '../record/mapping-config.ts';
import { own } from './own.ts';

export type StatusRow = {
  /**
   * The phase of the sales process to which the status belongs. The vendor's rules about forecasts depend on it (sales spec 2.3). A status
   * of the phase `closed` ends the deal.
   */
  readonly phase: 'lead' | 'opportunity' | 'closed';
  /** Whether the spec gives the vendor's code of the status. If not, only the tenant file can give the code. */
  readonly documented: boolean;
  /**
   * The stages of Salesforce's standard sales process that correspond to this status. When the vendor reports the status, the opportunity
   * moves to the first of these stages.
   */
  readonly stages: readonly [string, ...string[]];
};

/**
 * The vendor's statuses in the order of the sales process, by Lockstep's names. A status for which the spec has a code has this code as its
 * name (sales spec 2.2, 2.3).
 */
export const STATUSES = {
  LEAD_OPEN: { phase: 'lead', documented: true, stages: ['Prospecting'] },
  QUALIFIED: { phase: 'lead', documented: true, stages: ['Qualification'] },
  ACCEPTED: { phase: 'lead', documented: true, stages: ['Needs Analysis'] },
  OPPY_OPEN: {
    phase: 'opportunity',
    documented: true,
    stages: ['Value Proposition', 'Id. Decision Makers', 'Perception Analysis'],
  },
  VALIDATED: { phase: 'opportunity', documented: false, stages: ['Proposal/Price Quote'] },
  ESTABLISHED: { phase: 'opportunity', documented: false, stages: ['Negotiation/Review'] },
  WON: { phase: 'closed', documented: true, stages: ['Closed Won'] },
  LOST: { phase: 'closed', documented: false, stages: ['Closed Lost'] },
} as const satisfies Record<string, StatusRow>;

export type StatusName = keyof typeof STATUSES;

export const STATUS_NAMES = Object.keys(STATUSES) as readonly StatusName[];

/** Statuses whose codes the spec does not give. A tenant file can give them. */
export const STATUSES_WITHOUT_CODE = STATUS_NAMES.filter((name) => !STATUSES[name].documented);

/** The vendor's code of a status name; null if neither the spec nor the tenant file gives one. */
export function statusCode(name: string, config: MappingConfig): string | null {
  if (own(STATUSES, name)?.documented) return name;
  return own(config.values.status, name) || null;
}

/** Lockstep's name of a vendor status code; null if neither the spec nor the tenant file names the code. */
export function statusName(code: string, config: MappingConfig): StatusName | null {
  const documented = STATUS_NAMES.find((name) => name === code && STATUSES[name].documented);
  return documented ?? STATUS_NAMES.find((name) => own(config.values.status, name) === code) ?? null;
}

/** Whether a status ends the deal: Won or Lost. */
export function isClosing(code: string, config: MappingConfig): boolean {
  const name = statusName(code, config);
  return name !== null && STATUSES[name].phase === 'closed';
}

/** Whether a status belongs to the part of the sales process in which the deal is a lead at the vendor. */
export function isLeadStatus(code: string, config: MappingConfig): boolean {
  const name = statusName(code, config);
  return name !== null && STATUSES[name].phase === 'lead';
}

/**
 * The vendor status that Lockstep sends for a CRM stage, from the stage's first row in the tenant's stage table. Null if there is no row,
 * or if the row's status has no code.
 */
export function statusOfStage(stage: string, config: MappingConfig): string | null {
  const row = config.stages.find((candidate) => candidate.stage === stage);
  return row === undefined ? null : statusCode(row.status, config);
}

/** All vendor statuses that the tenant's stage table has for a CRM stage, in the order of the table. */
export function statusesOfStage(stage: string, config: MappingConfig): readonly string[] {
  const rows = config.stages.filter((row) => row.stage === stage);
  return rows.map((row) => statusCode(row.status, config)).filter((code) => code !== null);
}

/** The CRM stage to which a vendor status moves a deal; null if the tenant's stage table has none. */
export function inboundStage(code: string, config: MappingConfig): string | null {
  const matches = (row: StageRow): boolean => row.inbound && statusCode(row.status, config) === code;
  return config.stages.find(matches)?.stage ?? null;
}
