import type { ValueTable } from './coded.ts';

/** The documented values of `recurringChargeBillingCycle` (order spec 2.8). */
export const BILLING_CYCLES = [
  { code: 'MON360', name: 'Calendar Month', meaning: 'to the end of the calendar month, then full months' },
  { code: 'QUA360', name: 'Calendar Quarter', meaning: 'to the end of the calendar quarter, then 3 months' },
  {
    code: 'BIANN360',
    name: 'Calendar Semester',
    meaning: 'to the end of the calendar semester, then 6 months',
  },
  { code: 'ANN360', name: 'Calendar Year', meaning: 'to the end of the calendar year, then 12 months' },
  { code: 'FULL360', name: 'Full At Date', meaning: '12 months from the start date, durations upfront' },
  { code: 'IMM360', name: 'Immediate', meaning: 'the full order amount at approval' },
  { code: 'MONR360', name: 'Rolling Month 360', meaning: 'from the start date for 1 month' },
  { code: 'QUAR360', name: 'Rolling Quarter 360', meaning: 'from the start date for 3 months' },
  { code: 'BIANNR360', name: 'Rolling Semester 360', meaning: 'from the start date for 6 months' },
  { code: 'ANNR360', name: 'Rolling Year 360', meaning: 'from the start date for 12 months' },
] as const satisfies ValueTable;

/**
 * The documented values of `orderType` (order spec 2.9). The documents contain names and one code, and do not say which name the code has.
 */
export const ORDER_TYPES = [
  ...['New', 'Renewal', 'Migration - Standard', 'Evaluation License', 'Stop - Transform', 'TEP Training'].map(seenName),
  { code: 'STOI', name: null, meaning: 'code seen; its name is not shown' },
] as const satisfies ValueTable;

/**
 * The documented values of `subOrderType` (order spec 2.9). The documents contain names and one code, and do not say which name the code
 * has.
 */
export const SUB_ORDER_TYPES = [
  ...['Change of Channel', 'Change of VAR', 'EPP Training', 'Evaluation License'].map(seenName),
  ...['New License', 'TEP Training', 'Initial Value'].map(seenName),
  { code: 'NEW', name: null, meaning: 'code seen; its name is not shown' },
] as const satisfies ValueTable;

/**
 * The documented values of `revenueType` (order spec 2.10). According to the documents, v0 sends four of the codes in place of a display
 * name. For the other codes the documents show no v0 name.
 */
export const REVENUE_TYPES = [
  { code: 'ALC', name: 'ALC', meaning: 'Annual License Charge' },
  { code: 'ASC', name: 'ASC', meaning: 'Annual Service Charge' },
  { code: 'ELC', name: 'ELC', meaning: 'Evaluation License Charge' },
  { code: 'PLC', name: 'PLC', meaning: 'Primary License Charge' },
  { code: 'PSC', name: null, meaning: 'Primary Service Charge' },
  { code: 'QLC', name: null, meaning: 'Quarterly License Charge' },
  { code: 'QRC', name: null, meaning: 'Quarterly Service Charge' },
  { code: 'SLC', name: null, meaning: 'Service/support license charge' },
  { code: 'SSC', name: null, meaning: 'Service Charge' },
  { code: 'TB2', name: null, meaning: 'Term-Based License Charge 2' },
  { code: 'TB3', name: null, meaning: 'Term-Based License Charge 3' },
  { code: 'TS2', name: null, meaning: 'Term-Based Service Charge 2' },
  { code: 'TS3', name: null, meaning: 'Term-Based Service Charge 3' },
  { code: 'TS5', name: null, meaning: 'Term-Based Service Charge 5' },
  { code: 'ULC', name: null, meaning: 'Administration license charge' },
  { code: 'USC', name: null, meaning: 'Upfront Service Charge' },
  { code: 'XLC', name: null, meaning: 'Extended License Charge' },
  { code: 'XSC', name: null, meaning: 'Extended Service Charge' },
  { code: 'YLC', name: null, meaning: 'Yearly License Charge' },
  { code: 'YSC', name: null, meaning: 'Yearly Service Charge' },
] as const satisfies ValueTable;

function seenName(name: string) {
  return { code: null, name, meaning: 'name seen in v0; its code is not shown' };
}
