import { randomUUID } from 'node:crypto';
import { AppError } from '#core/app-error.ts';
import type { CertificateRequest } from '#core/protocol/api/certificate.ts';
import type { SiteCertificate } from '#core/protocol/site-certificate.ts';
import { AgentSilentError, askAgent } from './ask-agent.ts';
import type { OrderLine } from './order-line.ts';

/** Longer than the Agent itself waits. */
const answerWithinMs = 20_000;

/** Has the Agent of a host read the certificate of an https URL. Throws `agent-missing` without an answer, and `invalid-input` with the reason why there is none to read. */
export async function readCertificate(hub: OrderLine, { host, url }: CertificateRequest): Promise<SiteCertificate> {
  const orderId = randomUUID();
  try {
    const { certificate, problem } = await askAgent(hub, {
      agent: host,
      message: { type: 'read-certificate', orderId, url },
      timeoutMs: answerWithinMs,
      readAnswer: (message) => (message.type === 'certificate-read' && message.orderId === orderId ? message : null),
    });
    if (certificate === null) throw new AppError('invalid-input', `${host} could not read the certificate: ${problem}`);
    return certificate;
  } catch (error) {
    if (error instanceof AgentSilentError) throw new AppError('agent-missing', error.message);
    throw error;
  }
}
