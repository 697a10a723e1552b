import { describe, expect, it } from 'vitest';
import { flattenGraph, type GraphRecord } from '../../src/salesforce/flatten.ts';
import { fullSelection } from '../../src/salesforce/graph-fields.ts';

const attributes = { type: 'X', url: '/x' };

const record: GraphRecord = {
  opportunity: {
    attributes,
    Id: '006A',
    Name: 'Deal',
    IsDeleted: false,
    Vendor_Share__c: true,
    SystemModstamp: '2026-01-31T10:00:00.120+0000',
    LastModifiedDate: '2026-01-31T10:00:00.000+0000',
    CloseDate: '2026-03-01',
    Description: '2026-01-31T10:00:00.120+0000',
    Account: { attributes, Id: '001A', Name: 'Acme', Vendor_Site_Id__c: null },
    Owner: { attributes, Id: '005A', Email: 'owner@partner.example', FirstName: 'O', LastName: 'W' },
  },
  lines: [
    { attributes, Id: '00kC', IsDeleted: false, SortOrder: null, Product2: null },
    { attributes, Id: '00kB', IsDeleted: false, SortOrder: 2, Product2: { Vendor_Offer_Id__c: 'OFF-2' } },
    { attributes, Id: '00kD', IsDeleted: true, SortOrder: 1, Product2: { Vendor_Offer_Id__c: 'OFF-9' } },
    { attributes, Id: '00kA', IsDeleted: false, SortOrder: 1, Product2: { Vendor_Offer_Id__c: 'OFF-1' } },
  ],
  roles: [
    {
      attributes,
      Id: '00Kx',
      IsDeleted: false,
      IsPrimary: false,
      Contact: { Id: '003B', Email: 'b@c.example' },
    },
    {
      attributes,
      Id: '00Ky',
      IsDeleted: false,
      IsPrimary: true,
      Contact: { Id: '003A', Email: 'a@c.example' },
    },
    {
      attributes,
      Id: '00Kz',
      IsDeleted: true,
      IsPrimary: false,
      Contact: { Id: '003C', Email: 'c@c.example' },
    },
    { attributes, Id: '00Kw', IsDeleted: false, IsPrimary: false, Contact: null },
  ],
  syncs: [{ attributes, Id: 'a00A', IsDeleted: false, Last_Synced__c: '2026-01-31T11:00:00.000+0000' }],
};

const graph = flattenGraph(record, fullSelection(false), '2026-01-31T12:00:00.000Z');

describe('flattenGraph', () => {
  it('tells of deleted lines apart, where there are any', () => {
    expect(graph.deletedLines).toMatchObject([{ Id: '00kD', 'Product2.Vendor_Offer_Id__c': 'OFF-9' }]);
    const none = { ...record, lines: record.lines.filter(({ IsDeleted }) => IsDeleted !== true) };
    const without = flattenGraph(none, fullSelection(false), '2026-01-31T12:00:00.000Z');
    expect(without).not.toHaveProperty('deletedLines');
  });

  it('shows instants as ISO and leaves texts alone', () => {
    expect(graph.opportunity).toMatchObject({
      SystemModstamp: '2026-01-31T10:00:00.120Z',
      LastModifiedDate: '2026-01-31T10:00:00.000Z',
      CloseDate: '2026-03-01',
      Description: '2026-01-31T10:00:00.120+0000',
    });
    expect(graph.sync).toMatchObject({ Last_Synced__c: '2026-01-31T11:00:00.000Z' });
  });

  it('holds exactly the fields that were asked for, empty ones as null', () => {
    expect(Object.keys(graph.opportunity)).toEqual([...fullSelection(false).Opportunity]);
    expect(graph.opportunity['Vendor_Id__c']).toBeNull();
    expect(graph.opportunity).not.toHaveProperty('CurrencyIsoCode');
  });

  it('leaves a field out that was not asked for, because it may not be seen', () => {
    const hidden = { ...fullSelection(false), Account: ['Id', 'Name'] };
    expect(flattenGraph(record, hidden, graph.readAt).account).toEqual({ Id: '001A', Name: 'Acme' });
  });

  it('orders lines, leaves deleted ones out and flattens the offer', () => {
    const shown = graph.lines.map((line) => [line['Id'], line['Product2.Vendor_Offer_Id__c']]);
    expect(shown).toEqual([
      ['00kA', 'OFF-1'],
      ['00kB', 'OFF-2'],
      ['00kC', null],
    ]);
  });

  it('puts the primary contact first and leaves deleted roles out', () => {
    expect(graph.contacts.map((contact) => contact['Id'])).toEqual(['003A', '003B']);
  });

  it('puts the contact first that is longest on the deal, whatever its id', () => {
    const role = (Id: string, day: string) => ({
      ...{ attributes, Id, IsDeleted: false, IsPrimary: false, ContactId: `003${day}` },
      ...{ CreatedDate: `2026-01-${day}T00:00:00.000+0000`, Contact: { attributes, Id: `003${day}` } },
    });
    const roles = [role('00KA', '02'), role('00KB', '01')];
    const { contacts } = flattenGraph({ ...record, roles }, fullSelection(false), graph.readAt);
    expect(contacts.map(({ Id }) => Id)).toEqual(['00301', '00302']);
  });

  it('names a contact and a product that may not be read, and shows none of their fields', () => {
    const roles = [{ attributes, Id: '00Kw', IsDeleted: false, ContactId: '003H', Contact: null }];
    const lines = [{ attributes, Id: '00kH', IsDeleted: false, Product2Id: '01tH', Product2: null }];
    const hidden = flattenGraph({ ...record, roles, lines }, fullSelection(false), graph.readAt);
    expect(hidden.contacts).toEqual([{ Id: '003H' }]);
    expect(hidden.lines[0]).not.toHaveProperty('Product2.Vendor_Offer_Id__c');
  });

  it('has no account, owner or sync record where there is none', () => {
    const bare = { ...record, opportunity: { ...record.opportunity, Account: null, Owner: null }, syncs: [] };
    expect(flattenGraph(bare, fullSelection(false), graph.readAt)).toMatchObject({
      account: null,
      owner: null,
      sync: null,
    });
  });

  describe('of a field across a lookup', () => {
    const mapping = { fields: { cometCampaignCode: { crm: 'Campaign.Code__c' } } };
    const selection = fullSelection(false, [mapping]);
    const shown = (more: GraphRecord['opportunity'], of = selection) =>
      flattenGraph({ ...record, opportunity: { ...record.opportunity, ...more } }, of, graph.readAt).opportunity;

    it('shows the value under its path', () => {
      const parents = { CampaignId: '701A', Campaign: { attributes, Code__c: 'C-7' } };
      expect(shown(parents)).toMatchObject({ 'Campaign.Code__c': 'C-7', CampaignId: '701A' });
    });

    it('shows it empty where the lookup is, and nothing where the record or the lookup is hidden', () => {
      expect(shown({ CampaignId: null, Campaign: null })['Campaign.Code__c']).toBeNull();
      expect(shown({ CampaignId: '701A', Campaign: null })).not.toHaveProperty('Campaign.Code__c');
      const without = {
        ...selection,
        Opportunity: selection.Opportunity.filter((name) => name !== 'CampaignId'),
      };
      expect(shown({ Campaign: null }, without)).not.toHaveProperty('Campaign.Code__c');
    });
  });

  it('finds a field that was asked for in other letters than Salesforce answers it in', () => {
    const selection = fullSelection(false, [{ fields: { gtmTacticId: { crm: 'tactic__C' } } }]);
    const opportunity = { ...record.opportunity, Tactic__c: 'T-1' };
    expect(flattenGraph({ ...record, opportunity }, selection, graph.readAt).opportunity['tactic__C']).toBe('T-1');
  });
});
