import type { Balance, Usage, UsageSum } from '../api/answers.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatCount, formatDay, formatMoney } from '../parts/format.ts';
import { show } from '../parts/page.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import { Tiles } from '../parts/tiles.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { BillCheck } from '../usage/bill-check.tsx';
import { KeysView } from '../usage/keys-view.tsx';
import { SpendChart } from '../usage/spend-chart.tsx';

function Standing() {
  const { answer, problem } = useAnswer<Balance>('/v1/balance');
  if (problem !== undefined) return <p class="notice bad">{problem}</p>;
  if (answer === undefined) return <p role="status">Loading the balance…</p>;
  const { plan, usage } = answer;
  const ofLimit = (used: number, limit: number | null) =>
    limit === null ? `${formatCount(used)}, no limit` : `${formatCount(used)} of ${formatCount(limit)}`;
  return (
    <Tiles
      tiles={{
        Balance: `$${answer.balance.replace(/^\$/, '')}`,
        'Spent so far': formatMoney(answer.spent_micro_dollars),
        Plan: plan.title,
        'Requests today': ofLimit(usage.requests_today, plan.requests_per_day),
        'Tokens this month': ofLimit(usage.tokens_this_month, plan.tokens_per_month),
        'Running now': ofLimit(usage.running_requests, plan.concurrent_requests),
      }}
    />
  );
}

function Spending() {
  const days = useAnswer<Usage>('/v1/usage?group_by=day');
  const models = useAnswer<Usage>('/v1/usage?group_by=model');
  const agents = useAnswer<Usage>('/v1/usage?group_by=agent');
  const keys = useAnswer<Usage>('/v1/usage?group_by=key');
  if (days.problem !== undefined) return <p class="notice bad">{days.problem}</p>;
  if (days.answer === undefined) return <p role="status">Loading the usage…</p>;
  const { from, to, data } = days.answer;
  return (
    <section>
      <h2>
        {formatDay(from)} to {formatDay(to)}
      </h2>
      <SpendChart from={from} to={to} days={data} />
      <p>
        <a href="/v1/usage?group_by=day,model,key,agent&format=csv" download="usage.csv">
          Download as CSV
        </a>
      </p>
      <Sums caption="By day" name={({ day }) => formatDay(day ?? '')} rows={data.toReversed()} />
      <Sums caption="By model" name={({ model }) => model ?? ''} rows={models.answer?.data ?? []} isOpen />
      <Sums caption="By agent" name={({ agent }) => agent ?? 'Without an agent'} rows={agents.answer?.data ?? []} />
      <Sums caption="By key or session" name={({ key_id: key }) => key ?? ''} rows={keys.answer?.data ?? []} />
    </section>
  );
}

interface SumsProps {
  readonly caption: string;
  readonly name: (sum: UsageSum) => string;
  readonly rows: readonly UsageSum[];
  readonly isOpen?: boolean;
}

const sumColumns: readonly Column<UsageSum>[] = [
  { title: 'Requests', isNumber: true, cell: ({ requests }) => formatCount(requests) },
  { title: 'Prompt tokens', isNumber: true, cell: ({ prompt_tokens: tokens }) => formatCount(tokens) },
  { title: 'Answer tokens', isNumber: true, cell: ({ completion_tokens: tokens }) => formatCount(tokens) },
  { title: 'Images', isNumber: true, cell: ({ images }) => formatCount(images) },
  { title: 'Price', isNumber: true, cell: ({ price_micro_dollars: price }) => formatMoney(price) },
];

function Sums({ caption, name, rows, isOpen = false }: SumsProps) {
  return (
    <details open={isOpen}>
      <summary>{caption}</summary>
      <DataTable caption={caption} columns={[{ title: 'Name', cell: name }, ...sumColumns]} rows={rows} keyOf={name} />
    </details>
  );
}

show(() => (
  <SignedIn what="usage and keys">
    <h1>Usage</h1>
    <Standing />
    <Spending />
    <KeysView />
    <BillCheck />
  </SignedIn>
));
