import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface CredentialsFormProps {
  /** `read`: gives the text of a field. */
  onSubmit: (read: (field: string) => string, form: HTMLFormElement) => void;
  children: ReactNode;
}

/** Fields that the browser keeps, not the page. */
export function CredentialsForm({ onSubmit, children }: CredentialsFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const fields = new FormData(form);
        const read = (field: string) => {
          const value = fields.get(field);
          return typeof value === 'string' ? value : '';
        };
        onSubmit(read, form);
      }}
    >
      {children}
    </form>
  );
}

/** For a password that is chosen here. */
export function NewPasswordInput(props: { name: string; label: string; autoFocus?: true }) {
  return (
    <PasswordInput
      {...props}
      description="At least 10 characters."
      autoComplete="new-password"
      minLength={10}
      required
      withAsterisk={false}
    />
  );
}
