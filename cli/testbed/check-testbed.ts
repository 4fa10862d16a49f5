import { AppError } from '#core/app-error.ts';
import type { LinkFinding } from '#core/protocol/link-check.ts';
import { openLinkChecker } from '#testbed/check/link-checker.ts';
import { quantileOrNull } from '#testbed/check/quantile-or-null.ts';
import { describeProfile } from './describe-profile.ts';
import type { OpenTestbed } from './open-testbed.ts';

/** Measures the link and prints the figures. Throws `link-mismatch` when they are not what the profile says. */
export async function checkTestbed(
  { network, backend, profile }: OpenTestbed,
  { isJson, say, signal }: { isJson: boolean; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  say(`Measuring the link ${profile.name} (${backend.kind}):\n${describeProfile(profile)}`);
  await using checker = await openLinkChecker(network);
  const { isAsWritten, findings, measurement, tookMs } = await checker.run(profile);
  signal.throwIfAborted();
  const roundTripP99Ms = quantileOrNull(measurement.roundTripsMs, 0.99);
  if (isJson)
    process.stdout.write(
      `${JSON.stringify({ profile, backend: backend.kind, isAsWritten, findings, roundTripP99Ms, tookMs })}\n`,
    );
  else
    process.stdout.write(
      `${[...findings.map(describeFinding), `round trip p99: ${roundTripP99Ms?.toFixed(2) ?? 'no reply'} ms`].join('\n')}\n`,
    );
  if (!isAsWritten) {
    throw new AppError(
      'link-mismatch',
      `The link does not match ${profile.name}: ${findings
        .filter(({ isWithin }) => !isWithin)
        .map(describeFinding)
        .join('; ')}`,
    );
  }
}

function describeFinding({ figure, unit, measured, expected, low, high, isWithin }: LinkFinding): string {
  const digits = unit === 'packets lost' ? 0 : 2;
  const measuredText = measured === null ? 'no packets arrived' : measured.toFixed(digits);
  return `${isWithin ? 'ok' : 'WRONG'}: ${figure} ${measuredText} ${unit}, ${expected.toFixed(digits)} expected (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
