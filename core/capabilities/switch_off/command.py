"""`wattfront switch-off LOG...`: which nodes may sleep while they have nothing to do."""

import argparse

from core.capabilities.switch_off.face import switch_off
from core.capabilities.switch_off.settings import SwitchOffSettings
from core.capabilities.switch_off.slurm_lines import slurm_lines
from core.capabilities.switch_off.told import told
from core.engines.logs.reading.logs import LogProgress
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import add_file, add_logs, add_watts
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.shells.settings.site import add_site, given_site
from core.vocabulary.without_work import WithoutWork


def declare(parser: argparse.ArgumentParser) -> None:
    add_logs(parser)
    declare_flags(parser, SwitchOffSettings)
    declare_flags(parser, WithoutWork, "idle_power")
    parser.add_argument(
        "--machine-type", metavar="RULE", help="what makes a machine type, as for wattfront derive"
    )
    add_file(parser, "--nodes", "the nodes, as for wattfront derive")
    add_watts(parser, "samples of the power of nodes, as for wattfront derive")
    add_site(parser, "price", "carbon", "carbon_price", "pue", "currency")


def run(arguments: argparse.Namespace) -> Answer:
    with watching("switch-off") as watch:
        found = switch_off(
            arguments.logs,
            machine_type=arguments.machine_type,
            nodes=arguments.nodes,
            watts=arguments.watts,
            idle_power=arguments.idle_power,
            should_stop=watch.stop_was_asked,
            report=watch.showing(LogProgress.in_words),
            **given_flags(arguments, SwitchOffSettings),
        )
    answer = told_answer(str(arguments.logs[0]), told(found, given_site(arguments)))
    lines = slurm_lines(found)
    said = f"\n\nFor slurm.conf:\n{lines.rstrip()}" if lines else ""
    return Answer(answer.data, answer.text + said, answer.problems, answer.status)
