/**
 * The next statuses of an order over time, in v1 codes. Of these the documents show only that a forecast becomes a draft or a quote once
 * the system applied the price increase (order spec 3). An order on hold stays there. The others follow from what the statuses mean (order
 * spec 2.6) and are the sandbox's own. A status that is missing here is final.
 */
export const NEXT_STATUSES: Readonly<Record<string, readonly string[]>> = {
  FRST: ['DFT', 'QUOT'],
  DFT: ['STSV', 'STSV', 'CCD'],
  QUOT: ['DFT', 'DFT', 'QUOR'],
  DFTV: ['STVS'],
  STVS: ['STSV', 'STSV', 'RJVS'],
  RJVS: ['STVS'],
  RJTV: ['DFTV'],
  RPQT: ['QUOT'],
  QUOR: ['CCD'],
  WCC: ['DFT', 'CRFU'],
  WCCO: ['STSV', 'CRFU'],
  CRFU: ['CAN'],
  STSV: ['APPS', 'APPS', 'RJTC'],
  RJTC: ['STSV'],
  APPS: ['PRC'],
  PRC: ['APP', 'APP', 'ECM', 'RFD'],
  ECM: ['APP', 'RJTF'],
  RJTF: ['PRC'],
  RFD: ['CAN'],
};

/** The status that finance gives. An order is booked at the moment of this status (order spec 2.2). */
export const BOOKED_STATUS = 'APP';

/** Consent statuses that follow from a move between statuses that wait for the customer's consent. */
export function consentAfter(status: string, next: string, consent: string): string {
  const isWaiting = status === 'WCC' || status === 'WCCO';
  if (!isWaiting || consent === '') return consent;
  return next === 'CRFU' ? 'R' : 'A';
}
