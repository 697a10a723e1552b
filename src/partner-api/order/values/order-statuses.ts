import type { ValueTable } from './coded.ts';

/** The documented values of an order's `transaction.status` (order spec 2.6). */
export const ORDER_STATUSES = [
  { code: 'CAN', name: 'Cancelled', meaning: 'cancelled, no longer valid' },
  { code: 'RECY', name: 'Claim to be Managed', meaning: 'claimed by a different entity for management' },
  { code: 'CRFU', name: 'Consent Refused', meaning: 'final customer refused consent' },
  { code: 'CCD', name: 'Discarded', meaning: 'discarded, no longer valid' },
  { code: 'DFT', name: 'Draft', meaning: 'draft, not submitted' },
  { code: 'FRST', name: 'Forecast', meaning: 'renewal created more than 90 days before its start date' },
  {
    code: 'HOL',
    name: 'On Hold',
    meaning: 'renewal put on hold by a user to prevent automatic finalization',
  },
  { code: 'QUOT', name: 'Quote', meaning: 'quoting phase, not submitted' },
  { code: 'DFTV', name: 'Draft by VAR', meaning: 'draft created by a value-added reseller' },
  { code: 'APP', name: 'Finance Approved', meaning: 'approved by finance' },
  { code: 'RFD', name: 'Finance Refused', meaning: 'refused by finance' },
  { code: 'WCCO', name: 'Pending Consent', meaning: 'waiting for final customer consent' },
  { code: 'WCC', name: 'Pending Customer Consent', meaning: 'waiting for customer consent, not submitted' },
  { code: 'QUOR', name: 'Quote Rejected', meaning: 'quote rejected' },
  { code: 'APPS', name: 'Sales Approved', meaning: 'approved by sales' },
  { code: 'RJTF', name: 'Sent Back to Finance', meaning: 'returned to finance' },
  { code: 'RJTC', name: 'Sent Back to Sales', meaning: 'returned to sales' },
  { code: 'RPQT', name: 'Sent Back to Quote', meaning: 'returned to quoting' },
  { code: 'RJTV', name: 'Sent Back to VAR', meaning: 'returned to the reseller' },
  {
    code: 'RJVS',
    name: 'Sent Back to VAR Central Admin',
    meaning: 'returned to reseller central administration',
  },
  { code: 'ECM', name: 'Sent to Credit Manager', meaning: 'sent to the credit manager' },
  { code: 'PRC', name: 'Sent to Vendor.Finance', meaning: 'sent to the finance system' },
  { code: 'STSV', name: 'Submitted to Sales', meaning: 'submitted to sales' },
  {
    code: 'STVS',
    name: 'Submitted to VAR Central Admin',
    meaning: 'submitted to reseller central administration',
  },
  { code: 'DFTE', name: null, meaning: 'Draft by Partner; legacy, in existing records only, v1 only' },
] as const satisfies ValueTable;

/** The documented values of `onlineConsentStatus` (order spec 2.6). */
export const CONSENT_STATUSES = [
  { code: 'A', name: 'Accepted', meaning: 'accepted' },
  { code: 'T', name: 'Expired', meaning: 'expired' },
  { code: 'X', name: 'Not Applicable', meaning: 'not applicable' },
  { code: 'N', name: 'Not Requested', meaning: 'not sent' },
  { code: 'R', name: 'Refused', meaning: 'refused' },
  { code: 'S', name: 'Requested', meaning: 'sent, pending' },
] as const satisfies ValueTable;
