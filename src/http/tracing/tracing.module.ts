import { Module } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { Tracing } from './tracing.js';

/** Traces for OpenTelemetry when OTEL_EXPORTER_OTLP_ENDPOINT is set. */
@Module({
  providers: [
    {
      provide: Tracing,
      inject: [Config],
      useFactory: async ({ env }: Config): Promise<Tracing> => {
        const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
        if (endpoint === undefined) return new Tracing();
        const { OpenTelemetry } = await import('./open-telemetry.js');
        return new OpenTelemetry(endpoint, env.OTEL_SERVICE_NAME, env.OTEL_TRACES_SAMPLER_ARG);
      },
    },
  ],
  exports: [Tracing],
})
export class TracingModule {}
