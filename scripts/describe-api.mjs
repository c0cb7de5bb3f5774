// Writes the API description of the built server to dist/openapi.json, from its controllers and without starting it,
// and its types, which the pages use, to dist/openapi.d.ts.
import { writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import { AppModule } from '../dist/src/app.module.js';
import { loadConfig } from '../dist/src/base/config/config.js';
import { controllersOf } from '../dist/src/resources/openapi/controllers-of.js';
import { buildDocument } from '../dist/src/resources/openapi/document.js';
import { connectLinks } from '../dist/src/resources/connect-links.js';
import { servedBy } from '../dist/src/resources/http/resource.controller.js';

const controllers = controllersOf(AppModule.with(loadConfig({})));
connectLinks(servedBy(controllers));
const description = JSON.stringify(buildDocument('', controllers));
writeFileSync('dist/openapi.json', description);
const types = await openapiTypes(description, { rootTypes: true, rootTypesNoSchemaPrefix: true });
writeFileSync('dist/openapi.d.ts', astToString(types));
