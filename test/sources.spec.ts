import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames } from './support/call.js';
import { idOf, uriOf } from './support/id-of.js';
import { startTestServer, type TestServer } from './support/test-server.js';
