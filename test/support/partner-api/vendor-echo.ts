/**
 * The documented shape of a read (sales spec 2.7, 2.8) for a body that was sent, written from the specification alone: unset values are
 * null, contacts are singular, no value is translated.
 */
export function echoOfCreate(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const core = body['leadOpportunity'] as Record<string, unknown>;
  const lines = (body['offerLines'] as Record<string, unknown>[]) ?? [];
  return {
    ...UNSET,
    ...core,
    dsLeadOpportunityId: 'DS-1',
    createdDate: '2026-03-01T10:00:02.000Z',
    modifiedDate: '2026-03-01T10:00:02.000Z',
    offerLines: lines.map((line) => ({ amount: null, revenueType: null, ...line })),
    customerContact: body['customerContacts'] ?? [],
    partnerContact: body['partnerContacts'] ?? null,
    customerLegalEntity: body['customerLegalEntity'] ?? null,
  };
}

/** The read after an update: the body's values replace the earlier ones. */
export function echoOfUpdate(
  before: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const core = body['leadOpportunity'] as Record<string, unknown>;
  const whole = {
    offerLines: body['offerLines'],
    customerContact: body['customerContacts'],
    partnerContact: body['partnerContacts'],
    customerLegalEntity: body['customerLegalEntity'],
  };
  const sent = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  return { ...before, ...core, ...sent };
}

const UNSET = {
  dsOwnerEmail: null,
  forecastCategory: '',
  cometCampaignCode: null,
  reasonWon: null,
  reasonLost: null,
  competitors: null,
  reasonWonLostComment: '',
  gtmTacticId: null,
  description: null,
  nextMilestone: '',
  nextMilestoneDate: null,
  approvalStatus: 'EMPTY',
  engagementType: null,
  poInformation: '',
};
