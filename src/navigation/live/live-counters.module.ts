import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../auth/credentials/credentials.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { SecurityModule } from '../../security/security.module.js';
import { Counting } from './counting.js';
import { EventsController } from './events.controller.js';
import { FilterCounts } from './filter-counts.js';
import { LiveCounters } from './live-counters.js';
import { OpenStreams } from './open-streams.js';
import { SessionChecks } from './session-checks.js';
import { Tallies } from './tallies.js';

/** Counters that portals need not ask for: a stream of events for each person who looks. */
@Module({
  imports: [CredentialsModule, JournalModule, SecurityModule],
  controllers: [EventsController],
  providers: [OpenStreams, Tallies, FilterCounts, Counting, SessionChecks, LiveCounters],
  exports: [OpenStreams, Tallies, Counting, LiveCounters],
})
export class LiveCountersModule {}
