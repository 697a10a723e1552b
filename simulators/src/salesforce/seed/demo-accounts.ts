type Fields = Readonly<Record<string, string>>;

/** Customers of the demo org, with the people there. */
export const DEMO_ACCOUNTS: readonly { readonly account: Fields; readonly contacts: readonly Fields[] }[] = [
  {
    account: {
      Name: 'Aeris Turbines',
      BillingStreet: '14 rue des Forges\nBâtiment C',
      BillingCity: 'Toulouse',
      BillingPostalCode: '31000',
      BillingCountry: 'France',
      Phone: '+33 5 55 01 02 03',
      Website: 'https://aeris-turbines.example',
      Vendor_DUNS__c: '260114522',
      Vendor_VAT_Number__c: 'FR40303265045',
    },
    contacts: [
      {
        FirstName: 'Hélène',
        LastName: 'Garnier',
        Salutation: 'Ms.',
        Email: 'helene.garnier@aeris-turbines.example',
        Phone: '+33 5 55 01 02 10',
        Title: 'Head of Engineering',
      },
      {
        FirstName: 'Marc',
        LastName: 'Oliveira',
        Salutation: 'Mr.',
        Email: 'marc.oliveira@aeris-turbines.example',
        Title: 'Purchasing Manager',
      },
    ],
  },
  {
    account: {
      Name: 'Bergmann Maschinenbau',
      BillingStreet: 'Industriestraße 7',
      BillingCity: 'Stuttgart',
      BillingState: 'Baden-Württemberg',
      BillingPostalCode: '70565',
      BillingCountry: 'Germany',
      Website: 'https://bergmann.example',
      Vendor_VAT_Number__c: 'DE811907980',
    },
    contacts: [
      {
        FirstName: 'Jonas',
        LastName: 'Weber',
        Salutation: 'Dr.',
        Email: 'jonas.weber@bergmann.example',
        Phone: '+49 711 555 0100',
        Title: 'Plant Director',
      },
    ],
  },
  {
    account: {
      Name: 'Kestrel Medical Devices',
      BillingStreet: '220 Harbour Road',
      BillingCity: 'Bristol',
      BillingPostalCode: 'BS1 4RN',
      BillingCountry: 'United Kingdom',
      Website: 'https://kestrel-medical.example',
      Vendor_Registration_Id__c: '07495895',
    },
    contacts: [
      {
        FirstName: 'Amelia',
        LastName: 'Shaw',
        Email: 'amelia.shaw@kestrel-medical.example',
        Title: 'R&D Lead',
      },
    ],
  },
  {
    account: {
      Name: 'Volta Mobility',
      BillingStreet: 'Via Torino 51',
      BillingCity: 'Milano',
      BillingPostalCode: '20123',
      BillingCountry: 'Italy',
      Website: 'https://volta-mobility.example',
    },
    contacts: [
      {
        FirstName: 'Giulia',
        LastName: 'Conti',
        Salutation: 'Ms.',
        Email: 'giulia.conti@volta-mobility.example',
        Phone: '+39 02 555 0199',
        Title: 'Chief Engineer',
      },
    ],
  },
];
