/** Orders as the vendor sends them (order spec 2.2 to 2.5), with every required member. */
const site = { id: 'SITE-1', name: 'Acme', localName: 'Acme SA', locationId: 1 };

export function wireSummary(id: string, more: object = {}) {
  return {
    transaction: { id, type: 'PO', status: 'DFT', description: 'Renewal' },
    businessUnit: { id: 'BU001', name: 'France', localTimezone: 'CET' },
    billToSite: site,
    soldToSite: site,
    creationDateTime: '2026-11-01T10:00:00Z',
    lastUpdateDateTime: '2026-11-02T10:00:00Z',
    currency: 'EUR',
    onlineConsentStatus: '',
    ...more,
  };
}

/** The same order as v0 and as v1 show it. */
export function wireDetail(version: 'v0' | 'v1') {
  const v0 = version === 'v0';
  const amounts = ['NetAmount', 'AnnualAmount'];
  const discounts = {
    [v0 ? 'billToDiscountPercentage' : 'distributorDiscountPercentage']: 35.00000000000001,
  };
  const breakdown = {
    sequenceNumber: 1,
    installedBaseNumber: 'IB-1',
    revenueType: 'YLC',
    product: {
      trigram: 'ABC',
      type: v0 ? 'Named User' : 'NU',
      number: 'N1',
      dsOffering: v0 ? 'Auxiliary' : 'HW',
    },
    quantity: 3,
    unitListPrice: 1200.1000000000001,
    totalListPrice: 3600.3,
    ...Object.fromEntries(amounts.map((name) => [`${v0 ? 'billTo' : 'distributor'}${name}`, 2340.1949999999997])),
    ...Object.fromEntries(amounts.map((name) => [v0 ? `maximumCustomer${name}` : `customerMaximum${name}`, 3000])),
    [v0 ? 'billToMarginPercentage' : 'distributorMaximumMarginPercentage']: 12.5,
    [v0 ? 'minimumCustomerDiscountPercentage' : 'customerMinimumDiscountPercentage']: null,
    ...discounts,
    inflation: { date: '2027-01-01', ratio: 1.0299999999999998, exception: '' },
    unknownMember: true,
  };
  return {
    ...wireSummary('PO-1', {
      transaction: { id: 'PO-1', type: 'PO', status: v0 ? 'Finance Approved' : 'APP', description: 'x' },
      onlineConsentStatus: v0 ? 'Requested' : 'S',
    }),
    agreement: { type: 'Standard', reference: null },
    recurringChargeBillingCycle: v0 ? 'Rolling Year 360' : 'ANNR360',
    [v0 ? 'opportunity' : 'opportunityId']: 'DS-1',
    licenseChargeConditions: [{ sequenceNumber: 1, waiver: { duration: 3 }, licenseChargeBreakdown: [breakdown] }],
  };
}
