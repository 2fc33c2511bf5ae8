# SPDX-License-Identifier: BSD-2-Clause
"""What the report says, and that the memory it needs is within sales_report.limits."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import sales_report

try:
    import profmem
except ImportError:
    profmem = None

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Results(unittest.TestCase):
    def test_amounts_are_added_by_month_and_product(self):
        lines = [
            "date,product,amount",
            "2026-01-31,tea,0.10",
            "2026-02-01,tea,5",
            '2026-01-01,"coffee, black",2.50',
            "2026-01-02,tea,0.20",
        ]
        self.assertEqual(
            sales_report.formatted(sales_report.summarise(lines)).splitlines(),
            [
                "month   coffee, black         tea",
                "2026-01         2.50        0.30",
                "2026-02            0           5",
            ],
        )


@unittest.skipUnless(profmem and shutil.which("profmem"), "profmem is not installed")
class Memory(unittest.TestCase):
    def test_memory_is_within_limits(self):
        with tempfile.TemporaryDirectory() as folder:
            sales = os.path.join(folder, "sales.csv")
            with open(sales, "w", encoding="utf-8") as file:
                print("date,product,amount", file=file)
                for i in range(5000):
                    month, product, cents = i % 12 + 1, i * 7 % 5, i * 7919 % 100000
                    print(
                        f"2026-{month:02}-{i % 28 + 1:02},product {product},{cents / 100:.2f}",
                        file=file,
                    )
            # With PYTHONMALLOC each object is a block of the heap; a program under profmem run
            # has no variables of its environment but these.
            run = subprocess.run(
                [
                    "profmem", "run",
                    "--limits", os.path.join(FOLDER, "sales_report.limits"),
                    "--env", "PYTHONMALLOC=malloc",
                    "--env", "PYTHONPATH=" + os.path.dirname(profmem.__file__),
                    "--env", "PYTHONDONTWRITEBYTECODE=1",
                    "-o", os.path.join(folder, "memory.xml"),
                    sys.executable, os.path.join(FOLDER, "sales_report.py"), sales,
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                check=False,
            )  # fmt: skip
        self.assertEqual(run.returncode, 0, "profmem run:\n" + run.stderr)


if __name__ == "__main__":
    unittest.main()
