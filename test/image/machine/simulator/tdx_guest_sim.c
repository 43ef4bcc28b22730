// SPDX-License-Identifier: GPL-2.0
/*
 * Simulates drivers/virt/coco/tdx-guest without TDX: the same ioctl, configfs-tsm provider and registers in sysfs, by the
 * kernel's own frameworks. A backend connects to /dev/tdx_sim, provides the TDINFO of the simulated TD and turns reports
 * into quotes. For tests only: it gives no attestation, and the kernel's log says so.
 * Without tsm_report, as in kernels before 6.7, the device has its ioctl but no configfs-tsm.
 * GPL because tsm_report_register() requires it; a separate program, not part of Cloister.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/tsm.h>
#include <linux/tsm-mr.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <crypto/sha2.h>
#include <uapi/linux/tdx-guest.h>

#define MR_BYTES 48
#define TCB_INFO_BYTES 239
#define TD_INFO_BYTES 512
#define QUOTE_BYTES_MAX (SZ_8K - 24)

/* Offsets in a TDREPORT, and of the registers in its TDINFO. */
enum { TCB_HASH = 32, INFO_HASH = 80, REPORT_DATA = 128, MAC = 224, TCB_INFO = 256, TD_INFO = 512, MRTD = 16, RTMR0 = 208 };

static u8 td_info[TD_INFO_BYTES];
static u8 tcb_info[TCB_INFO_BYTES];
static DEFINE_MUTEX(info_lock);

/* One request to the backing program at a time. */
static DEFINE_MUTEX(quote_lock);
static DEFINE_MUTEX(slot_lock);
static DECLARE_WAIT_QUEUE_HEAD(asked);
static DECLARE_WAIT_QUEUE_HEAD(answered);
static u8 waiting_report[TDX_REPORT_LEN];
static bool is_waiting;
static u8 *quote;
static size_t quote_bytes;

static void make_report(const u8 *report_data, u8 *report)
{
	guard(mutex)(&info_lock);
	memset(report, 0, TDX_REPORT_LEN);
	report[0] = 0x81;
	memcpy(report + REPORT_DATA, report_data, TDX_REPORTDATA_LEN);
	memcpy(report + TCB_INFO, tcb_info, TCB_INFO_BYTES);
	memcpy(report + TD_INFO, td_info, TD_INFO_BYTES);
	sha384(report + TCB_INFO, TCB_INFO_BYTES, report + TCB_HASH);
	sha384(report + TD_INFO, TD_INFO_BYTES, report + INFO_HASH);
	/* The processor's MAC has a key that nobody knows; this one has none. */
	sha256(report, MAC, report + MAC);
}

static long guest_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct tdx_report_req __user *request = (void __user *)argument;
	u8 report_data[TDX_REPORTDATA_LEN];
	u8 *report __free(kfree) = NULL;

	if (command != TDX_CMD_GET_REPORT0)
		return -ENOTTY;
	if (copy_from_user(report_data, request->reportdata, sizeof(report_data)))
		return -EFAULT;
	report = kzalloc(TDX_REPORT_LEN, GFP_KERNEL);
	if (!report)
		return -ENOMEM;
	make_report(report_data, report);
	return copy_to_user(request->tdreport, report, TDX_REPORT_LEN) ? -EFAULT : 0;
}

static const struct file_operations guest_operations = { .owner = THIS_MODULE, .unlocked_ioctl = guest_ioctl };

/* Registers: the framework shows `mr_value`, and calls us to extend. */
static const struct tsm_measurement_register registers[] = {
	{ TSM_MR_(mrtd, SHA384), .mr_value = td_info + MRTD },
	{ TSM_MR_(rtmr0, SHA384), .mr_value = td_info + RTMR0 },
	{ TSM_MR_(rtmr1, SHA384), .mr_value = td_info + RTMR0 + MR_BYTES },
	{ .mr_name = "rtmr2", .mr_size = MR_BYTES, .mr_hash = HASH_ALGO_SHA384,
	  .mr_flags = TSM_MR_F_READABLE | TSM_MR_F_RTMR, .mr_value = td_info + RTMR0 + 2 * MR_BYTES },
	{ .mr_name = "rtmr3", .mr_size = MR_BYTES, .mr_hash = HASH_ALGO_SHA384,
	  .mr_flags = TSM_MR_F_READABLE | TSM_MR_F_RTMR, .mr_value = td_info + RTMR0 + 3 * MR_BYTES },
};

static int refresh(const struct tsm_measurements *measurements)
{
	return 0;
}

static int extend(const struct tsm_measurements *measurements, const struct tsm_measurement_register *mr, const u8 *data)
{
	u8 both[2 * MR_BYTES];

	guard(mutex)(&info_lock);
	memcpy(both, mr->mr_value, MR_BYTES);
	memcpy(both + MR_BYTES, data, MR_BYTES);
	sha384(both, sizeof(both), mr->mr_value);
	return 0;
}

static const struct tsm_measurements measurements = {
	.mrs = registers, .nr_mrs = ARRAY_SIZE(registers), .refresh = refresh, .write = extend,
};
static const struct attribute_group *guest_groups[2];
static struct miscdevice guest_device = {
	.name = "tdx_guest", .minor = MISC_DYNAMIC_MINOR, .fops = &guest_operations, .groups = guest_groups,
};

/* Quotes: hand the report to the backing program and wait, as the driver waits for the host. */
static int new_report(struct tsm_report *report, void *data)
{
	u8 *td_report __free(kfree) = NULL;
	long left;

	guard(mutex)(&quote_lock);
	if (report->desc.inblob_len != TDX_REPORTDATA_LEN)
		return -EINVAL;
	td_report = kzalloc(TDX_REPORT_LEN, GFP_KERNEL);
	if (!td_report)
		return -ENOMEM;
	make_report(report->desc.inblob, td_report);
	scoped_guard(mutex, &slot_lock) {
		memcpy(waiting_report, td_report, TDX_REPORT_LEN);
		kvfree(quote);
		quote = NULL;
		is_waiting = true;
	}
	wake_up_interruptible(&asked);
	left = wait_event_interruptible_timeout(answered, READ_ONCE(quote), 30 * HZ);
	guard(mutex)(&slot_lock);
	is_waiting = false;
	if (left < 0)
		return left;
	if (!quote)
		return -ETIMEDOUT;
	report->outblob = quote;
	report->outblob_len = quote_bytes;
	quote = NULL;
	return 0;
}

static bool has_attribute(int index)
{
	return index == TSM_REPORT_GENERATION || index == TSM_REPORT_PROVIDER;
}

static bool has_blob(int index)
{
	return index == TSM_REPORT_INBLOB || index == TSM_REPORT_OUTBLOB;
}

static const struct tsm_report_ops report_operations = {
	.name = "tdx_guest", .report_new = new_report, .report_attr_visible = has_attribute, .report_bin_attr_visible = has_blob,
};

/* The backing program reads the next report and writes its quote. */
static ssize_t sim_read(struct file *file, char __user *buffer, size_t count, loff_t *offset)
{
	int failed;

	if (count < TDX_REPORT_LEN)
		return -EINVAL;
	failed = wait_event_interruptible(asked, READ_ONCE(is_waiting));
	if (failed)
		return failed;
	guard(mutex)(&slot_lock);
	is_waiting = false;
	return copy_to_user(buffer, waiting_report, TDX_REPORT_LEN) ? -EFAULT : TDX_REPORT_LEN;
}

static ssize_t sim_write(struct file *file, const char __user *buffer, size_t count, loff_t *offset)
{
	u8 *bytes;

	if (!count || count > QUOTE_BYTES_MAX)
		return -EINVAL;
	bytes = vmemdup_user(buffer, count);
	if (IS_ERR(bytes))
		return PTR_ERR(bytes);
	scoped_guard(mutex, &slot_lock) {
		kvfree(quote);
		quote_bytes = count;
		WRITE_ONCE(quote, bytes);
	}
	wake_up_interruptible(&answered);
	return count;
}

#define SIM_SET_TD_INFO _IOW('S', 1, u8[TD_INFO_BYTES])

static long sim_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	if (command != SIM_SET_TD_INFO)
		return -ENOTTY;
	guard(mutex)(&info_lock);
	return copy_from_user(td_info, (void __user *)argument, TD_INFO_BYTES) ? -EFAULT : 0;
}

static const struct file_operations sim_operations = {
	.owner = THIS_MODULE, .read = sim_read, .write = sim_write, .unlocked_ioctl = sim_ioctl,
};
static struct miscdevice sim_device = {
	.name = "tdx_sim", .minor = MISC_DYNAMIC_MINOR, .fops = &sim_operations, .mode = 0600,
};

/* Not linked to: without tsm_report this module has to load all the same. Holds tsm_report while it is in use. */
static bool has_reports;

static int register_reports(void)
{
	int (*add)(const struct tsm_report_ops *, void *) = symbol_get(tsm_report_register);
	int failed;

	if (!add)
		return 0;
	failed = add(&report_operations, NULL);
	if (failed)
		symbol_put(tsm_report_register);
	has_reports = !failed;
	return failed;
}

static void unregister_reports(void)
{
	int (*drop)(const struct tsm_report_ops *);

	if (!has_reports)
		return;
	drop = symbol_get(tsm_report_unregister);
	drop(&report_operations);
	symbol_put(tsm_report_unregister);
	symbol_put(tsm_report_register);
}

static int __init sim_init(void)
{
	const struct attribute_group *group = tsm_mr_create_attribute_group(&measurements);
	int failed;

	if (IS_ERR(group))
		return PTR_ERR(group);
	guest_groups[0] = group;
	failed = misc_register(&guest_device);
	if (failed)
		goto no_guest;
	failed = misc_register(&sim_device);
	if (failed)
		goto no_sim;
	failed = register_reports();
	if (failed)
		goto no_report;
	pr_info("tdx_guest_sim: a SIMULATED TDX guest, not a TEE, %s configfs-tsm\n", has_reports ? "with" : "without");
	return 0;
no_report:
	misc_deregister(&sim_device);
no_sim:
	misc_deregister(&guest_device);
no_guest:
	tsm_mr_free_attribute_group(group);
	return failed;
}

static void __exit sim_exit(void)
{
	unregister_reports();
	misc_deregister(&sim_device);
	misc_deregister(&guest_device);
	tsm_mr_free_attribute_group(guest_groups[0]);
	kvfree(quote);
}

module_init(sim_init);
module_exit(sim_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Simulated TDX guest device for tests");
