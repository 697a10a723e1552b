import assert from 'node:assert/strict';
import { answers, DEAL, type Point, records, refuses } from './point.ts';

/** What the setup of an org shows as rows: profiles, and the stages of opportunities. */
export const SETUP_POINTS: readonly Point[] = [
  {
    claim: 'Every user has a profile, which is a separate row; its permission set names it.',
    source: 'Object Reference, "User": ProfileId; "Profile"; "PermissionSet": ProfileId',
    sure: 'documented',
    holds: async (org) => {
      const users = records(await org.query('SELECT Username, ProfileId, Profile.Name FROM User'));
      assert.equal(users.length, 2);
      const profiles = records(await org.query('SELECT Id, Name FROM Profile'));
      for (const { ProfileId, Profile } of users) {
        assert.match(String(ProfileId), /^00e/);
        const own = profiles.find(({ Id }) => Id === ProfileId);
        assert.partialDeepStrictEqual(Profile, { Name: own?.['Name'] });
      }
      const soql = 'SELECT ProfileId FROM PermissionSet WHERE IsOwnedByProfile = TRUE';
      const owners = records(await org.query(soql)).map(({ ProfileId }) => ProfileId);
      assert.deepEqual(
        owners,
        profiles.map(({ Id }) => Id),
      );
    },
  },
  {
    claim: 'A user is made with a profile, and with nothing that is none.',
    source: 'Object Reference, "User": ProfileId is not nillable',
    sure: 'documented',
    holds: async (org) => {
      const mary = {
        Username: 'mary@reseller.example',
        Email: 'mary@reseller.example',
        LastName: 'Mary',
        Alias: 'mary',
      };
      const refused = await org.call('POST', '/sobjects/User', mary);
      answers(refused, 400, [{ errorCode: 'REQUIRED_FIELD_MISSING', fields: ['ProfileId'] }]);
      const [profile] = records(await org.query('SELECT Id FROM Profile LIMIT 1'));
      answers(await org.call('POST', '/sobjects/User', { ...mary, ProfileId: profile?.['Id'] }), 201);
    },
  },
  {
    claim: 'OpportunityStage lists the stages in their order, with what each says of an opportunity.',
    source: 'Object Reference, "OpportunityStage": fields, supported calls',
    sure: 'documented',
    holds: async (org) => {
      const what =
        'MasterLabel, ApiName, IsActive, IsClosed, IsWon, DefaultProbability, ForecastCategory, ForecastCategoryName';
      const stages = records(await org.query(`SELECT ${what} FROM OpportunityStage ORDER BY SortOrder`));
      assert.equal(stages[0]?.['ApiName'], 'Prospecting');
      const won = stages.find(({ ApiName }) => ApiName === 'Closed Won');
      assert.deepEqual(won, {
        ...{ MasterLabel: 'Closed Won', ApiName: 'Closed Won', IsActive: true, IsClosed: true, IsWon: true },
        ...{ DefaultProbability: 100, ForecastCategory: 'Closed', ForecastCategoryName: 'Closed' },
      });
      refuses(
        await org.call('POST', '/sobjects/OpportunityStage', { MasterLabel: 'X' }),
        400,
        'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
      );
    },
  },
  {
    claim: 'A stage that an administrator renames stays what it was: its opportunities are won as before.',
    source: 'Salesforce Help, "Manage Opportunity Stages": a stage keeps its type and its probability',
    sure: 'documented',
    holds: async (org) => {
      const edit = { field: 'Opportunity.StageName', value: 'Closed Won', becomes: 'Signed' };
      answers(await org.admin('PUT', 'picklists', edit), 200);
      const soql = "SELECT IsWon, IsActive FROM OpportunityStage WHERE ApiName = 'Signed'";
      assert.deepEqual(records(await org.query(soql)), [{ IsWon: true, IsActive: true }]);
      const id = await org.make('Opportunity', { ...DEAL, StageName: 'Signed' });
      answers(await org.call('GET', `/sobjects/Opportunity/${id}`), 200, { IsWon: true, Probability: 100 });
    },
  },
];
