import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../auth/credentials/credentials.module.js';
import { JournalModule } from '../../journal/journal.module.js';
import { SecurityModule } from '../../security/security.module.js';
import { CounterUpdater } from './counter-updater.js';
import { EventsController } from './events.controller.js';
import { FilterCounts } from './filter-counts.js';
import { LiveCounters } from './live-counters.js';
import { OpenStreams } from './open-streams.js';
import { SessionChecks } from './session-checks.js';
import { Tallies } from './tallies.js';

/** Live counters: a stream of events for each open page, so that portals need not poll. */
@Module({
  imports: [CredentialsModule, JournalModule, SecurityModule],
  controllers: [EventsController],
  providers: [OpenStreams, Tallies, FilterCounts, CounterUpdater, SessionChecks, LiveCounters],
  exports: [OpenStreams, Tallies, CounterUpdater, LiveCounters],
})
export class LiveCountersModule {}
