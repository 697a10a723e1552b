/** The texts of the files in `simulators/docs` that are made of code; `npm run generate` writes them. */
export { pointsPage } from './scorecard/points/points-page.ts';
export { openApiText } from './src/vendor/openapi/document.ts';
