import assert from 'node:assert/strict';
import { answers, DEAL, type Point, records, refuses } from './point.ts';

const OBJECTS = 'Object Reference';

const LEAD = { LastName: 'Berg', Company: 'Bergwerk' };

/** Cases and tasks. */
export const ACTIVITY_POINTS: readonly Point[] = [
  {
    claim: 'A task is about a contact or a lead, and about a thing of several objects, named by Who and What.',
    source: `${OBJECTS}, "Task": WhoId, WhatId; SOQL and SOSL Reference, "Relationship Fields and Polymorphic Fields"`,
    sure: 'documented',
    holds: async (org) => {
      const WhoId = await org.make('Contact', { FirstName: 'Ada', LastName: 'Lund' });
      const WhatId = await org.make('Opportunity', DEAL);
      await org.make('Task', { Subject: 'Call', WhoId, WhatId });
      const soql = 'SELECT Who.Name, Who.Type, What.Name, What.Type FROM Task';
      assert.partialDeepStrictEqual(records(await org.query(soql)), [
        { Who: { Name: 'Ada Lund', Type: 'Contact' }, What: { Name: 'Deal', Type: 'Opportunity' } },
      ]);
    },
  },
  {
    claim: 'An id of another object in WhoId is a FIELD_INTEGRITY_EXCEPTION.',
    source: 'Published answers: "Name ID: id value of incorrect type"',
    sure: 'published',
    holds: async (org) => {
      const WhoId = await org.make('Account', { Name: 'A' });
      const message = `Name ID: id value of incorrect type: ${WhoId}`;
      refuses(await org.call('POST', '/sobjects/Task', { WhoId }), 400, 'FIELD_INTEGRITY_EXCEPTION', message);
    },
  },
  {
    claim: 'A task about a lead is about nothing else.',
    source: `${OBJECTS}, "Task": WhatId; published answers of FIELD_INTEGRITY_EXCEPTION`,
    sure: 'published',
    holds: async (org) => {
      const WhoId = await org.make('Lead', LEAD);
      const WhatId = await org.make('Account', { Name: 'A' });
      refuses(await org.call('POST', '/sobjects/Task', { WhoId, WhatId }), 400, 'FIELD_INTEGRITY_EXCEPTION');
    },
  },
  {
    claim: 'The account of a task is that of what it is about, else that of its contact.',
    source: `${OBJECTS}, "Task": AccountId`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      const WhatId = await org.make('Opportunity', { ...DEAL, AccountId });
      const WhoId = await org.make('Contact', { LastName: 'Lund', AccountId });
      for (const about of [{ WhatId }, { WhoId }]) {
        const id = await org.make('Task', about);
        answers(await org.call('GET', `/sobjects/Task/${id}`), 200, { AccountId });
      }
    },
  },
  {
    claim: 'A case has a number, and knows whether it is closed and since when.',
    source: `${OBJECTS}, "Case": CaseNumber, IsClosed, ClosedDate`,
    sure: 'documented',
    holds: async (org) => {
      const path = `/sobjects/Case/${await org.make('Case', { Subject: 'Broken' })}`;
      const open = { CaseNumber: '00001001', IsClosed: false, ClosedDate: null };
      answers(await org.call('GET', path), 200, open);
      answers(await org.call('PATCH', path, { Status: 'Closed' }), 204);
      const { body } = await org.call('GET', path);
      const { IsClosed, ClosedDate } = body as { IsClosed: boolean; ClosedDate: string };
      assert.deepEqual([IsClosed, /\.000\+0000$/.test(ClosedDate)], [true, true]);
    },
  },
  {
    claim: 'An account or a contact with cases cannot be deleted.',
    source: 'Salesforce Help, "Delete Accounts", "Delete Contacts"; published answers of DELETE_FAILED',
    sure: 'published',
    holds: async (org) => {
      const ContactId = await org.make('Contact', { LastName: 'Lund' });
      await org.make('Case', { ContactId });
      refuses(await org.call('DELETE', `/sobjects/Contact/${ContactId}`), 400, 'DELETE_FAILED');
    },
  },
];
