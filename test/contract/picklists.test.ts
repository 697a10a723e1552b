/** Picklists that Lockstep writes for an administrator: a simulated org takes them, and refuses a typing error. */
import { PACKAGE_DIR } from 'lockstep-simulators/testing';
import { expect, it } from 'vitest';
import { writeProject } from '../../src/cli/commands/picklists.ts';
import { listedFields, restrictPicklist } from '../../src/operator/mapping/restrict-picklist.ts';
import { packageFiles } from '../support/crm-package.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import { startSalesforceOrg } from '../support/salesforce/salesforce-org.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RESTRICTED = expect.stringContaining('INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST');
const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2027-01-31' };

/** Edits of a user, and why the org refuses them. */
const EDITS = [
  [{ Vendor_Competitors__c: 'ACME;GLOBEX', Vendor_GTM_Tactic__c: 'T-100' }, null],
  [{ Vendor_Competitors__c: 'ACME;GLOBX' }, RESTRICTED],
  [{ Vendor_GTM_Tactic__c: 'T100' }, RESTRICTED],
] as const;

it('makes the org refuse a code that the list lacks, where a user enters it', async () => {
  const mapping = mappingConfig({ lists: { competitors: ['ACME', 'GLOBEX'], gtmTacticId: ['T-100'] } });
  const [folder, files] = [temporaryFolder('lockstep-picklists'), packageFiles()];
  const fields = listedFields(mapping).map((listed) => {
    const source = files[`objects/Opportunity/fields/${listed.crmField}.field-meta.xml`] ?? null;
    return restrictPicklist({ ...listed, source }, mapping);
  });
  writeProject(folder, fields);
  const org = await startSalesforceOrg({ packageDirs: [PACKAGE_DIR, folder] });
  for (const [edit, refusal] of EDITS) {
    const saved = org.create('Opportunity', { ...DEAL, ...edit }).then(
      () => null,
      (error: Error) => error.message,
    );
    expect(await saved).toEqual(refusal);
  }
  const { Opportunity } = await org.crm.schema(['Opportunity']);
  expect(Opportunity?.fields).toMatchObject({
    Vendor_Competitors__c: { isRestricted: true, values: ['ACME', 'GLOBEX'] },
    Vendor_GTM_Tactic__c: { type: 'picklist', isRestricted: true, values: ['T-100'] },
  });
  await org.close();
});
