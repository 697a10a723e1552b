/**
 * v1 codes and their v0 display names, by enumeration. Where the documents do not show the codes, the table says
 * so and the codes are the sandbox's own.
 */
export type CodeTable = Readonly<Record<string, string>>;

/** Order status (order spec 2.6) without `DFTE`, which v0 does not have. */
export const ORDER_STATUSES = {
  CAN: 'Cancelled',
  RECY: 'Claim to be Managed',
  CRFU: 'Consent Refused',
  CCD: 'Discarded',
  DFT: 'Draft',
  FRST: 'Forecast',
  HOL: 'On Hold',
  QUOT: 'Quote',
  DFTV: 'Draft by VAR',
  APP: 'Finance Approved',
  RFD: 'Finance Refused',
  WCCO: 'Pending Consent',
  WCC: 'Pending Customer Consent',
  QUOR: 'Quote Rejected',
  APPS: 'Sales Approved',
  RJTF: 'Sent Back to Finance',
  RJTC: 'Sent Back to Sales',
  RPQT: 'Sent Back to Quote',
  RJTV: 'Sent Back to VAR',
  RJVS: 'Sent Back to VAR Central Admin',
  ECM: 'Sent to Credit Manager',
  PRC: 'Sent to Vendor.Finance',
  STSV: 'Submitted to Sales',
  STVS: 'Submitted to VAR Central Admin',
} as const satisfies CodeTable;

/** The status that exists in v1 only (order spec 2.6). */
export const V1_ONLY_STATUS = 'DFTE';

/** Statuses of the customer's online consent (order spec 2.6). */
export const CONSENT_STATUSES = {
  A: 'Accepted',
  T: 'Expired',
  X: 'Not Applicable',
  N: 'Not Requested',
  R: 'Refused',
  S: 'Requested',
} as const satisfies CodeTable;

/** Billing cycles (order spec 2.8). */
export const BILLING_CYCLES = {
  MON360: 'Calendar Month',
  QUA360: 'Calendar Quarter',
  BIANN360: 'Calendar Semester',
  ANN360: 'Calendar Year',
  FULL360: 'Full At Date',
  IMM360: 'Immediate',
  MONR360: 'Rolling Month 360',
  QUAR360: 'Rolling Quarter 360',
  BIANNR360: 'Rolling Semester 360',
  ANNR360: 'Rolling Year 360',
} as const satisfies CodeTable;

/**
 * Order types. Order spec 2.9 gives their names, but only the code STOI, and this without its name. The other codes are the sandbox's own.
 */
export const ORDER_TYPES = {
  NEW: 'New',
  REN: 'Renewal',
  MIGS: 'Migration - Standard',
  EVAL: 'Evaluation License',
  STOI: 'Stop - Transform',
  TEP: 'TEP Training',
} as const satisfies CodeTable;

/** Sub-order types. Order spec 2.9 gives their names, but only the code NEW. The other codes are the sandbox's own. */
export const SUB_ORDER_TYPES = {
  CHCH: 'Change of Channel',
  CHVR: 'Change of VAR',
  EPP: 'EPP Training',
  EVAL: 'Evaluation License',
  NEW: 'New License',
  TEP: 'TEP Training',
  INIT: 'Initial Value',
} as const satisfies CodeTable;

/** Product types (order spec 2.11). */
export const PRODUCT_TYPES = {
  A: 'Add-On',
  H: 'Auxiliary',
  CS: 'Casual Named User',
  C: 'Configuration',
  E: 'Enterprise',
  DS: 'Machine Based',
  M: 'Migration Path',
  NU: 'Named User',
  O: 'Offer',
  P: 'Package',
  SC: 'Service',
  S: 'Shareable',
  AS: 'Single Add-On',
  ST: 'System',
  TO: 'Token-Based',
} as const satisfies CodeTable;

/** DS offerings (order spec 2.12). */
export const DS_OFFERINGS = {
  PCK: 'Packaged Offering',
  LIC: 'Licensed Program',
  NA: 'Not Applicable',
  ONL: 'Online Services',
  SPC: 'Specific',
  HW: 'Auxiliary',
} as const satisfies CodeTable;

/** Accreditation types (order spec 2.14). */
export const ACCREDITATION_TYPES = {
  I: 'Industry Process Experience',
  R: 'Portfolio',
} as const satisfies CodeTable;

/** Deployment types. Order spec 2.14 shows the code 4 without its name, so this table's codes for the names are assumed. */
export const DEPLOYMENT_TYPES = { '1': 'On Premise', '4': 'Public Cloud' } as const satisfies CodeTable;

/** Inflation exceptions. By order spec 2.5, v0 has a text and v1 a code, but no values are given. All values are the sandbox's own. */
export const INFLATION_EXCEPTIONS = {
  NON: 'No exception',
  CAP: 'Capped by contract',
} as const satisfies CodeTable;

/** Time zones (order spec 2.7). */
export const TIME_ZONES = [
  ...['ACST', 'AEST', 'AKST', 'ASK', 'AST', 'AWST', 'BRI', 'CET', 'CHN', 'CST', 'EET', 'EST', 'ESTA', 'GMT'],
  ...['HAW', 'HOB', 'HST', 'IST', 'JST', 'MSK', 'MST', 'MSTA', 'NST', 'PST', 'SYD', 'UTC', 'VAL', 'WET'],
] as const;

/** The v0 display name of a code. An unknown or empty code is returned unchanged. */
export function displayName(table: CodeTable, code: string): string {
  return Object.hasOwn(table, code) ? (table[code] ?? code) : code;
}
