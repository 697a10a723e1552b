import { ComponentSet, MetadataConverter } from '@salesforce/source-deploy-retrieve';
import { Connection } from 'jsforce';
import type { DeployResult } from 'jsforce/lib/api/metadata.js';
import JSZip from 'jszip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { LEADS_DIR, LEADS_MAPPING_DIR, PACKAGE_DIR } from '../support/salesforce-simulator.ts';

/** Deployments by the Metadata API, as Salesforce's CLI makes and sends them: its converter, and jsforce. */

let simulator: SalesforceSimulator;
let source: Buffer;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty', readMs: () => Date.parse('2027-05-13T20:00:00Z') });
  source = await zipOf([PACKAGE_DIR]);
});

async function zipOf(dirs: string[]): Promise<Buffer> {
  const { zipBuffer } = await new MetadataConverter().convert(ComponentSet.fromSource(dirs), 'metadata', {
    type: 'zip',
  });
  return zipBuffer as Buffer;
}

afterAll(() => simulator.close());

function connectionOf(signIn: 'user' | 'integration'): Connection {
  const {
    url: instanceUrl,
    [signIn]: { accessToken },
  } = simulator;
  return new Connection({ instanceUrl, accessToken, version: '67.0' });
}

async function deploy(zip: Buffer, checkOnly = false): Promise<DeployResult> {
  const { metadata } = connectionOf('user');
  metadata.pollInterval = 1;
  return metadata.deploy(zip, { singlePackage: true, rollbackOnError: true, checkOnly }).complete(true);
}

type Change = readonly [path: string, from: string | RegExp, to: string];

/** The package with some files changed, removed (an empty text for a whole file) or added. */
async function changed(changes: readonly Change[]): Promise<Buffer> {
  const zip = await JSZip.loadAsync(source);
  for (const [path, from, to] of changes) {
    const text = (await zip.file(path)?.async('string')) ?? '';
    const result = text.replace(from, to);
    expect({ path, isChanged: result !== text }).toEqual({ path, isChanged: true });
    if (result === '') zip.remove(path);
    else zip.file(path, result);
  }
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

const problemsOf = ({ details }: DeployResult): readonly string[] =>
  [details?.componentFailures ?? []].flat().map(({ fullName, problem }) => `${fullName}: ${problem}`);

const PAGE = 'flexipages/Lockstep_Opportunity.flexipage';
const ROW_PAGE = 'flexipages/Lockstep_Sync_Record.flexipage';
const APP = 'applications/Lockstep.app';
const SYNC = 'objects/Lockstep_Sync__c.object';
const USER = 'permissionsets/Lockstep_User.permissionset';
const REPORT = 'reports/Lockstep/Sync_Health.report';
const FLOW = 'flows/Lockstep_Sync_Many.flow';
const SIDES = 'lwc/lockstepSides/lockstepSides';
const WHOLE = /^[\s\S]*$/;

describe('deploy()', () => {
  it.each([[false], [true]])('takes all of the CRM package, checked only: %s', async (checkOnly) => {
    const result = await deploy(source, checkOnly);
    expect(problemsOf(result)).toEqual([]);
    expect(result).toMatchObject({ success: true, status: 'Succeeded', checkOnly, done: true });
    const types = [result.details?.componentSuccesses ?? []].flat().map(({ componentType }) => componentType);
    expect([...new Set(types)].toSorted()).toEqual(
      [
        ...[
          'CustomApplication',
          'CustomNotificationType',
          'CustomObject',
          'CustomPermission',
          'CustomTab',
          'Dashboard',
          'DashboardFolder',
        ],
        ...['FlexiPage', 'Flow', 'Layout', 'LightningComponentBundle', 'PermissionSet', 'QuickAction'],
        ...['Report', 'ReportFolder', 'ReportType', 'Workflow'],
      ].toSorted(),
    );
  });

  it('takes the package for leads and its mapping in a check beside all else', async () => {
    expect(problemsOf(await deploy(await zipOf([PACKAGE_DIR, LEADS_DIR, LEADS_MAPPING_DIR]), true))).toEqual([]);
  });

  it('refuses a detail of leads, and a mapping of a field that is not there', async () => {
    const zip = await JSZip.loadAsync(await zipOf([PACKAGE_DIR, LEADS_DIR, LEADS_MAPPING_DIR]));
    const edit = async (path: string, from: string, to: string) =>
      zip.file(path, ((await zip.file(path)?.async('string')) ?? '').replace(from, to));
    const sync = 'objects/Lockstep_Lead_Sync__c.object';
    await edit(sync, '<deleteConstraint>SetNull</deleteConstraint>', '');
    await edit(sync, '<type>Lookup</type>', '<type>MasterDetail</type>');
    const mapping = 'LeadConvertSettings/LeadConvertSettings.LeadConvertSetting';
    await edit(mapping, '<inputField>Vendor_DUNS__c<', '<inputField>Nowhere__c<');
    expect(problemsOf(await deploy(await zip.generateAsync({ type: 'nodebuffer' }), true))).toEqual(
      expect.arrayContaining([
        'Lockstep_Lead_Sync__c: Cannot create a master-detail relationship to Lead',
        'LeadConvertSettings: In field: inputField - no CustomField named Lead.Nowhere__c found',
      ]),
    );
  });

  it.each<[string, readonly Change[], readonly string[]]>([
    [
      'an unknown element',
      [[APP, '<label>', '<labels>x</labels><label>']],
      ['Lockstep: Error parsing file: Element labels invalid at this location in type CustomApplication'],
    ],
    [
      'an element twice',
      [[APP, '<label>', '<label>x</label><label>']],
      ['Lockstep: Error parsing file: Element label is duplicated at this location in type CustomApplication'],
    ],
    [
      'an element in a text',
      [[SYNC, '<pluralLabel>', '<pluralLabel><b/>']],
      ['Lockstep_Sync__c: Error parsing file: Element pluralLabel has elements, and its type string has none'],
    ],
    [
      'a missing element',
      [['dashboards/Lockstep/Sync_Health.dashboard', /<title>.*/, '']],
      ['Lockstep/Sync_Health: Required field is missing: title'],
    ],
    [
      'broken XML',
      [[APP, '</label>', '']],
      expect.arrayContaining([expect.stringMatching(/^Lockstep: Error parsing file: /)]),
    ],
    [
      'an app with a tab that is not there',
      [[APP, '<tabs>Vendor_Order__c<', '<tabs>Order__c<']],
      ['Lockstep: In field: tabs - no CustomTab named Order__c found'],
    ],
    [
      'an app with another object’s page',
      [[APP, '>Lockstep_Opportunity<', '>Lockstep_Sync_Record<']],
      ["Lockstep: The Lightning page Lockstep_Sync_Record isn't for Opportunity"],
    ],
    [
      'a tab of a record page',
      [['tabs/Lockstep_Conflicts.tab', '>Lockstep_Conflicts<', '>Lockstep_Opportunity<']],
      ["Lockstep_Conflicts: The Lightning page Lockstep_Opportunity isn't an app page"],
    ],
    [
      'a tab without a label',
      [['tabs/Lockstep_Conflicts.tab', /<label>.*/, '']],
      ['Lockstep_Conflicts: Required field is missing: label'],
    ],
    [
      'a list button that is not there',
      [[SYNC, '>Lockstep_Retry</listViewButtons>', '>Again</listViewButtons>']],
      ['Lockstep_Sync__c: In field: listViewButtons - no WebLink named Lockstep_Sync__c.Again found'],
    ],
    [
      'a list view of an unknown field',
      [[SYNC, '<columns>Message__c<', '<columns>Text__c<']],
      ['Lockstep_Sync__c: In field: columns - no CustomField named Lockstep_Sync__c.Text__c found'],
    ],
    [
      'a page with an unknown template',
      [[PAGE, 'recordHomeTemplateDesktop', 'appHomeTemplateDesktop']],
      ["Lockstep_Opportunity: Template flexipage:appHomeTemplateDesktop doesn't exist."],
    ],
    [
      'a page with a component that is not there',
      [[ROW_PAGE, 'c:lockstepSides', 'c:sides']],
      ["Lockstep_Sync_Record: We couldn't retrieve the design time component information for component c:sides."],
    ],
    [
      'a page with a component for other pages',
      [[ROW_PAGE, 'c:lockstepSides', 'c:lockstepConflicts']],
      ["Lockstep_Sync_Record: The component c:lockstepConflicts isn't available on this page"],
    ],
    [
      'a page with an action that is not there',
      [[ROW_PAGE, 'Lockstep_Sync__c.Lockstep_Retry', 'Lockstep_Sync__c.Again']],
      ['Lockstep_Sync_Record: In field: actionNames - no QuickAction named Lockstep_Sync__c.Again found'],
    ],
    [
      'a page that names two parts alike',
      [[ROW_PAGE, '>force_detailPanel<', '>c_lockstepSides<']],
      ['Lockstep_Sync_Record: The identifier c_lockstepSides is used more than once'],
    ],
    [
      'a page with a region of another template',
      [[ROW_PAGE, '<name>sidebar<', '<name>left<']],
      ["Lockstep_Sync_Record: The region left doesn't exist in the template flexipage:recordHomeTemplateDesktop"],
    ],
    [
      'a page with an unknown field',
      [[PAGE, '>Record.Vendor_Order_Count__c<', '>Record.Vendor_Count__c<']],
      [
        "Lockstep_Opportunity: The Record.Vendor_Count__c field doesn't exist on Opportunity",
        'Lockstep_Opportunity: The identifier of Record.Vendor_Count__c has to be RecordVendor_Count_cField',
      ],
    ],
    [
      'a component that is not exposed, on a page',
      [[`${SIDES}.js-meta.xml`, '<isExposed>true', '<isExposed>false']],
      [
        "Lockstep_Opportunity: The component c:lockstepSides isn't available on this page",
        "Lockstep_Sync_Record: The component c:lockstepSides isn't available on this page",
      ],
    ],
    [
      'a component that imports what is not there',
      [[`${SIDES}.js`, "'c/lockstepRows'", "'c/rows'"]],
      ['lockstepSides: No MODULE named markup://c:rows found'],
    ],
    [
      'a component that shows what is not there',
      [[`${SIDES}.html`, '<c-lockstep-field-table', '<c-field-table']],
      ['lockstepSides: No MODULE named markup://c:fieldTable found'],
    ],
    [
      'a component’s tests',
      [['lwc/lockstepSides/__tests__/x.test.js', WHOLE, '1']],
      ['lockstepSides: Unexpected folder in a bundle: __tests__'],
    ],
    [
      'a component for an unknown target',
      [[`${SIDES}.js-meta.xml`, /lightning__RecordPage/g, 'lightningRecordPage']],
      expect.arrayContaining(["lockstepSides: The target lightningRecordPage doesn't exist"]),
    ],
    [
      'a report with a column that its type lacks',
      [[REPORT, /<field>Opportunity.Lockstep_Syncs__r\$Message__c</, '<field>Opportunity.Lockstep_Syncs__r$$Text__c<']],
      ['Lockstep/Sync_Health: Invalid field: Opportunity.Lockstep_Syncs__r$Text__c is no column of the report type'],
    ],
    [
      'a report without its type',
      [[REPORT, 'Lockstep_Sync_State__c', 'Sync_State__c']],
      ['Lockstep/Sync_Health: In field: reportType - no ReportType named Sync_State found'],
    ],
    [
      'a chart that groups by what the report does not',
      [
        [
          'dashboards/Lockstep/Sync_Health.dashboard',
          '<groupingColumn>Opportunity$Owner<',
          '<groupingColumn>Opportunity$$Name<',
        ],
      ],
      ['Lockstep/Sync_Health: Invalid field: Opportunity$Name is no grouping of the report'],
    ],
    [
      'a dashboard without its report',
      [['dashboards/Lockstep/Sync_Health.dashboard', '>Lockstep/Needs_Attention<', '>Lockstep/Attention<']],
      ['Lockstep/Sync_Health: In field: report - no Report named Lockstep/Attention found'],
    ],
    [
      'a grant of a field that everybody sees',
      [[USER, '<field>Lockstep_Sync__c.Message__c<', '<field>Lockstep_Sync__c.Opportunity__c<']],
      ['Lockstep_User: You cannot deploy to a required field: Lockstep_Sync__c.Opportunity__c'],
    ],
    [
      'a grant of a flow that is not there',
      [[USER, '<flow>Lockstep_Sync_Many<', '<flow>Many<']],
      ['Lockstep_User: In field: flow - no Flow named Many found'],
    ],
    [
      'a flow that goes nowhere',
      [[FLOW, '>Refused</targetReference>', '>Failed</targetReference>']],
      ['Lockstep_Sync_Many: The connector names the element Failed, which the flow lacks'],
    ],
    [
      'a flow of an unknown field',
      [[FLOW, '<field>Lockstep_Sync_Asked__c<', '<field>Asked__c<']],
      ['Lockstep_Sync_Many: In field: field - no CustomField named Opportunity.Asked__c found'],
    ],
    [
      'an action that starts a draft',
      [[FLOW, '<status>Active<', '<status>Draft<']],
      ["Lockstep_Sync__c.Lockstep_Retry: The flow Lockstep_Sync_Many isn't an active screen flow"],
    ],
    [
      'a file that the manifest lacks',
      [['tabs/Order__c.tab', WHOLE, '<CustomTab><customObject>true</customObject></CustomTab>']],
      ['Order__c: Not in package.xml', 'Order__c: In field: customObject - no CustomObject named Order__c found'],
    ],
    [
      'a manifest with what the zip lacks',
      [['tabs/Vendor_Price__c.tab', WHOLE, '']],
      expect.arrayContaining([
        "Vendor_Price__c: An object 'Vendor_Price__c' of type CustomTab was named in package.xml, but was not found in zipped directory",
      ]),
    ],
    [
      'a field that the org was not started with',
      [
        [
          SYNC,
          '<pluralLabel>',
          '<fields><fullName>New__c</fullName><type>Checkbox</type><label>New</label></fields><pluralLabel>',
        ],
      ],
      ['Lockstep_Sync__c: Lockstep_Sync__c is not simulated: start the simulator with the folder of its source'],
    ],
  ])('refuses %s', async (_, changes, problems) => {
    const result = await deploy(await changed(changes));
    expect(problemsOf(result)).toEqual(problems);
    expect(result).toMatchObject({ success: false, status: 'Failed' });
  });

  it.each<[string, () => Buffer, RegExp]>([
    ['no zip', () => Buffer.from('x'.repeat(99)), /it is no zip file/],
    ['half a zip', () => source.subarray(-9_000), /./],
    ['a zip of nothing', () => Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`, 'latin1'), /No package.xml found/],
  ])('refuses %s', async (_, zip, problem) => {
    expect(problemsOf(await deploy(zip())).join()).toMatch(problem);
  });

  it('is for those who may change metadata', async () => {
    const { metadata } = connectionOf('integration');
    await expect(metadata.deploy(source, {}).complete()).rejects.toThrow(/ModifyMetadata/);
    await expect(connectionOf('user').metadata.checkDeployStatus('0Af000000000001AAA')).rejects.toThrow(
      /INVALID_CROSS/,
    );
    const { metadataObjects } = await connectionOf('user').metadata.describe();
    expect(metadataObjects.map(({ xmlName }) => xmlName)).toContain('FlexiPage');
  });
});
