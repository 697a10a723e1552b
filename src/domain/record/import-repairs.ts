/** Repairs for a refused import, by the error code of Salesforce or of the CRM adapter. */
export const IMPORT_REPAIRS: ReadonlyMap<string, string> = new Map([
  [
    'DUPLICATES_DETECTED',
    'A duplicate rule of the org found its account or a contact there already: merge the two, correct the record at the vendor, or, where the rule only alerts, set salesforce.allowDuplicates in the tenant file',
  ],
  ['UNKNOWN_OWNER', 'Correct imports.owner in the tenant file, or activate the user'],
  ['UNKNOWN_RECORD_TYPE', 'Correct imports.recordType in the tenant file, or activate the record type'],
]);
