/**
 * A text of the parts that encrypted values often contain: names and usual values. If values are compressed with this text as the
 * dictionary, they are about half as long. The dictionary never changes, because it belongs to the format of encrypted values: another
 * dictionary needs another version of the format.
 */
export const SEALING_DICTIONARY = Buffer.from(
  [
    '"field":"","verdict":"","rule":"","base":{"crm":"","vendor":""},"crm":"","vendor":"","wrote":',
    '"overruled":{',
    '"held":{"code":"","message":"',
    '"goneLines":[],"leftAt":"',
    '"ignoredBySide":[',
    '"cleared":[',
    '"basedOn":{"version":"2026-01-01T00:00:00Z","previousValues":{',
    '"answeredAt":"2026-01-01T00:00:00.000Z"',
    '"inDoubtCrmWrites":{"basedOnVersion":null,"sent":[{"crm":{',
    '"inDoubtVendorWrites":{"basedOnVersion":"2026-01-01T00:00:00Z","sent":[{"crm":{',
    '"record":{',
    '},"vendorId":"","reference":"006000000000000AAA","readOnly":{"approvalStatus":null,"engagementType":null,"po',
    'Information":null,"poStatus":null,"poNumber":null,"sboIndicator":null,"sboStatus":null,"sboNumber":null,"gro',
    'wthType":null,"leadPriority":null,"levelOfInterest":null,"dsComment":null,"partnerImportMode":null,"createdD',
    'ate":"2026-01-01T00:00:00Z","modifiedDate":"2026-01-01T00:00:00Z"},"unknownFields":[],"optimistic":["gtmTact',
    'icId"],"source":"kept","version":"2026-01-01T00:00:00Z","readAt":"2026-01-01T00:00:00.000Z"}',
    '{"crm":{"name":"","dsOwnerEmail":"","status":"","forecastCategory":"Pipeline","closeDate":"2026-01-31","come',
    'tCampaignCode":null,"reasonWon":[],"reasonLost":[],"competitors":[],"reasonWonLostComment":null,"gtmTacticId',
    '":null,"description":null,"nextMilestone":null,"nextMilestoneDate":null,"currency":"EUR","offerLines":[{"off',
    'erNameId":"","amount":".00","revenueType":null,"crmLineId":"00k000000000000AAA"}],"customerSiteId":null,"cus',
    'tomerLegalEntity":{"crmAccountId":"001000000000000AAA","name":"","city":"","country":"DE","addressLine1":"",',
    '"addressLine2":null,"statePrefecture":null,"zipCode":null,"websiteUrl":null,"dunsNumber":null,"vatNumber":nu',
    'll,"registrationId":null},"customerContacts":[{"email":"","firstName":"","lastName":"","phoneNumber":null,"s',
    'alutation":null,"jobTitle":null}],"partnerContacts":[{"salesRepEmail":"","salesRepFirstName":"","salesRepLas',
    'tName":""}]},"vendor":{"name":"","dsOwnerEmail":"","status":"","forecastCategory":"Pipeline","closeDate":"20',
    '26-01-31","cometCampaignCode":null,"reasonWon":[],"reasonLost":[],"competitors":[],"reasonWonLostComment":nu',
    'll,"gtmTacticId":null,"description":null,"nextMilestone":null,"nextMilestoneDate":null,"currency":"EUR","off',
    'erLines":[{"offerNameId":"","amount":".00","revenueType":null,"crmLineId":"00k000000000000AAA"}],"customerSi',
    'teId":null,"customerLegalEntity":{"crmAccountId":"001000000000000AAA","name":"","city":"","country":"DE","ad',
    'dressLine1":"","addressLine2":null,"statePrefecture":null,"zipCode":null,"websiteUrl":null,"dunsNumber":null',
    ',"vatNumber":null,"registrationId":null},"customerContacts":[{"email":"","firstName":"","lastName":"","phone',
    'Number":null,"salutation":null,"jobTitle":null}],"partnerContacts":[{"salesRepEmail":"","salesRepFirstName":',
    '"","salesRepLastName":""}]},"defaulted":["forecastCategory"],"awaitingEcho":[],"linePairs":[{"crmLineId":"00',
    'k000000000000AAA","position":0}],"crmVersion":"2026-01-01T00:00:00.000+0000","vendorVersion":"2026-01-01T00:',
    '00:00Z","highestSeenVersion":"2026-01-01T00:00:00Z"}',
  ].join(''),
);
