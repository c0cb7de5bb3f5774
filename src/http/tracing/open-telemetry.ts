import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Outcome, type RequestTrace, Tracing } from './tracing.js';

/** How long shutdown waits for the collector, in milliseconds. */
const LAST_EXPORT = 2_000;

/** Maximum length of a statement's text in characters; longer ones are cut. */
const MAX_TEXT = 4_096;

/**
 * One span for each request and, below it, one for each statement, named by OpenTelemetry's conventions. They hold only
 * texts from the code: route patterns and statements, whose values are bound. While the collector is away, spans are
 * lost but no requests, because the queue is bounded.
 */
export class OpenTelemetry extends Tracing implements OnApplicationShutdown {
  private readonly current = new AsyncLocalStorage<Context>();
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly provider: TracerProvider;
  private readonly tracer;

  /**
   * @param endpoint base URL of the collector, without `/v1/traces`
   * @param share of the requests to sample, 0 to 1, when the caller has not decided
   */
  constructor(endpoint: string, service: string, share: number) {
    super();
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanLimits: { attributeValueLengthLimit: MAX_TEXT },
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('process-platform');
  }

  override begin(headers: IncomingHttpHeaders): RequestTrace {
    const parent = this.propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const span = this.tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    const context = trace.setSpan(parent, span);
    return {
      run: (work) => this.current.run(context, work),
      end: (outcome) => endRequest(span, outcome),
    };
  }

  override async statement<T>(text: string, work: () => Promise<T>): Promise<T> {
    const context = this.current.getStore();
    // Background work belongs to no request.
    if (!context) return work();
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
    const name = /\w+/.exec(text)?.[0].toUpperCase() ?? 'statement';
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context);
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown } | undefined)?.code;
      // Never the message, which quotes values.
      if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.race([this.provider.shutdown(), delay(LAST_EXPORT, undefined, { ref: false })]);
  }
}

function endRequest(span: Span, { method, route, status, requestId }: Outcome): void {
  span.updateName(route === undefined ? method : `${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'platform.request_id': requestId,
    ...(route === undefined ? {} : { 'http.route': route }),
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
