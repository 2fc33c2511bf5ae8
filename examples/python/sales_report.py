# SPDX-License-Identifier: BSD-2-Clause
"""Sales by month and product.

    python3 sales_report.py SALES.csv

The file has the columns date, product and amount. It is read row by row: what is in memory
depends on how many months and products there are, not on how many sales.
"""

import collections
import contextlib
import csv
import decimal
import sys

try:
    from profmem import phase
except ImportError:

    def phase(_name):
        """Without profmem, a phase is nothing."""
        return contextlib.nullcontext()


def amount_of(text):
    """An amount as it was written, to the cent."""
    return decimal.Decimal(text)


def summarise(lines):
    """The sums of amounts, by month and product."""
    totals = collections.defaultdict(decimal.Decimal)
    with phase("summarise"):
        for row in csv.DictReader(lines):
            totals[row["date"][:7], row["product"]] += amount_of(row["amount"])
    return totals


def formatted(totals):
    """A line for each month, with a column for each product."""
    with phase("format"):
        products = sorted({product for _, product in totals})
        lines = ["month   " + "".join(f"{product:>12}" for product in products)]
        for month in sorted({month for month, _ in totals}):
            amounts = (totals.get((month, product), 0) for product in products)
            lines.append(f"{month:8}" + "".join(f"{amount:12}" for amount in amounts))
    return "\n".join(lines)


def main(arguments):
    """The command; its status."""
    if len(arguments) != 1:
        print("usage: sales_report.py SALES.csv", file=sys.stderr)
        return 2
    with open(arguments[0], newline="", encoding="utf-8") as file:
        print(formatted(summarise(file)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
